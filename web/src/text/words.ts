// The vocabulary of the contract in words for people.

import type {
  Facet,
  IndicatorState,
  IndicatorType,
  Intent,
  Protocol,
  SensorType,
  Severity,
  ThreatCategory,
  TlpMarking,
  Verdict,
} from '../api/contract.ts';

export const TYPE_WORDS: Readonly<Record<IndicatorType, string>> = {
  INDICATOR_TYPE_UNSPECIFIED: 'Unknown type',
  INDICATOR_TYPE_IPV4: 'IPv4',
  INDICATOR_TYPE_IPV6: 'IPv6',
  INDICATOR_TYPE_DOMAIN: 'Domain',
  INDICATOR_TYPE_URL: 'URL',
  INDICATOR_TYPE_FILE_HASH_MD5: 'MD5',
  INDICATOR_TYPE_FILE_HASH_SHA1: 'SHA-1',
  INDICATOR_TYPE_FILE_HASH_SHA256: 'SHA-256',
  INDICATOR_TYPE_EMAIL: 'E-mail',
  INDICATOR_TYPE_CIDR: 'Range',
  INDICATOR_TYPE_JA3: 'JA3',
  INDICATOR_TYPE_SSL_CERT_FINGERPRINT: 'Certificate',
};

export const SEVERITY_WORDS: Readonly<Record<Severity, string>> = {
  SEVERITY_UNSPECIFIED: 'Unknown',
  SEVERITY_INFO: 'Info',
  SEVERITY_LOW: 'Low',
  SEVERITY_MEDIUM: 'Medium',
  SEVERITY_HIGH: 'High',
  SEVERITY_CRITICAL: 'Critical',
};

export const STATE_WORDS: Readonly<Record<IndicatorState, string>> = {
  INDICATOR_STATE_UNSPECIFIED: 'Unknown',
  INDICATOR_STATE_RAW: 'Raw',
  INDICATOR_STATE_SCORED: 'Scored',
  INDICATOR_STATE_ENRICHED: 'Enriched',
  INDICATOR_STATE_VERIFIED: 'Verified',
};

export const CATEGORY_WORDS: Readonly<Record<ThreatCategory, string>> = {
  THREAT_CATEGORY_UNSPECIFIED: 'Uncategorised',
  THREAT_CATEGORY_MALWARE: 'Malware',
  THREAT_CATEGORY_PHISHING: 'Phishing',
  THREAT_CATEGORY_COMMAND_AND_CONTROL: 'Command and control',
  THREAT_CATEGORY_BOTNET: 'Botnet',
  THREAT_CATEGORY_SCANNER: 'Scanner',
  THREAT_CATEGORY_SPAM: 'Spam',
  THREAT_CATEGORY_BRUTE_FORCE: 'Brute force',
  THREAT_CATEGORY_EXPLOIT: 'Exploit',
  THREAT_CATEGORY_TOR_EXIT_NODE: 'Tor exit node',
  THREAT_CATEGORY_PROXY: 'Proxy',
};

export const PROTOCOL_WORDS: Readonly<Record<Protocol, string>> = {
  PROTOCOL_UNSPECIFIED: 'No protocol',
  PROTOCOL_MODBUS: 'Modbus',
  PROTOCOL_DNP3: 'DNP3',
  PROTOCOL_BACNET: 'BACnet',
  PROTOCOL_S7: 'S7',
  PROTOCOL_OPC_UA: 'OPC UA',
  PROTOCOL_SSH: 'SSH',
  PROTOCOL_HTTP: 'HTTP',
  PROTOCOL_FTP: 'FTP',
  PROTOCOL_TELNET: 'Telnet',
  PROTOCOL_SNMP: 'SNMP',
};

export const SENSOR_WORDS: Readonly<Record<SensorType, string>> = {
  SENSOR_TYPE_UNSPECIFIED: 'Unknown sensor',
  SENSOR_TYPE_ICS: 'Industrial control',
  SENSOR_TYPE_NETWORK: 'Network',
  SENSOR_TYPE_ENDPOINT: 'Endpoint',
};

export const INTENT_WORDS: Readonly<Record<Intent, string>> = {
  INTENT_UNSPECIFIED: 'No intent',
  INTENT_DISCOVER: 'Discover',
  INTENT_READ: 'Read',
  INTENT_WRITE: 'Write',
  INTENT_CONTROL: 'Control',
  INTENT_PROGRAM: 'Program',
};

export const TLP_WORDS: Readonly<Record<TlpMarking, string>> = {
  TLP_MARKING_UNSPECIFIED: 'TLP:?',
  TLP_MARKING_CLEAR: 'TLP:CLEAR',
  TLP_MARKING_GREEN: 'TLP:GREEN',
  TLP_MARKING_AMBER: 'TLP:AMBER',
  TLP_MARKING_AMBER_STRICT: 'TLP:AMBER+STRICT',
  TLP_MARKING_RED: 'TLP:RED',
};

export const FACET_WORDS: Readonly<Record<Facet, string>> = {
  FACET_UNSPECIFIED: '',
  FACET_TYPE: 'Type',
  FACET_CATEGORY: 'Category',
  FACET_SEVERITY: 'Severity',
  FACET_STATE: 'State',
  FACET_PROTOCOL: 'Protocol',
  FACET_SENSOR_TYPE: 'Sensor',
  FACET_TLP: 'Marking',
  FACET_SOURCE: 'Source',
  FACET_COUNTRY: 'Country',
  FACET_ASN: 'Network',
  FACET_TECHNIQUE: 'Technique',
  FACET_INTENT: 'Intent',
  FACET_FAMILY: 'Malware family',
  FACET_TAG: 'Tag',
  FACET_VERDICT: 'Verdict',
};

export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  VERDICT_UNSPECIFIED: 'Not judged',
  VERDICT_MALICIOUS: 'Malicious',
  VERDICT_SUSPICIOUS: 'Suspicious',
  VERDICT_SCANNER: 'Known scanner',
  VERDICT_BENIGN: 'Benign',
  VERDICT_UNKNOWN: 'Unknown',
};
