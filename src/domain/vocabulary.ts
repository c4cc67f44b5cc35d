// The enumerations of the contract. The index of a name is its Protobuf number. A wire name is the prefix of the
// enumeration and the name (`INDICATOR_TYPE_` + `IPV4`).

export const INDICATOR_TYPES = [
  'UNSPECIFIED',
  'IPV4',
  'IPV6',
  'DOMAIN',
  'URL',
  'FILE_HASH_MD5',
  'FILE_HASH_SHA1',
  'FILE_HASH_SHA256',
  'EMAIL',
  'CIDR',
  'JA3',
  'SSL_CERT_FINGERPRINT',
] as const;
export type IndicatorType = (typeof INDICATOR_TYPES)[number];

export const THREAT_CATEGORIES = [
  'UNSPECIFIED',
  'MALWARE',
  'PHISHING',
  'COMMAND_AND_CONTROL',
  'BOTNET',
  'SCANNER',
  'SPAM',
  'BRUTE_FORCE',
  'EXPLOIT',
  'TOR_EXIT_NODE',
  'PROXY',
] as const;
export type ThreatCategory = (typeof THREAT_CATEGORIES)[number];

/** From least to most severe. */
export const SEVERITIES = ['UNSPECIFIED', 'INFO', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** In the order of the pipeline. */
export const INDICATOR_STATES = ['UNSPECIFIED', 'RAW', 'SCORED', 'ENRICHED', 'VERIFIED'] as const;
export type IndicatorState = (typeof INDICATOR_STATES)[number];

export const PROTOCOLS = [
  'UNSPECIFIED',
  'MODBUS',
  'DNP3',
  'BACNET',
  'S7',
  'OPC_UA',
  'SSH',
  'HTTP',
  'FTP',
  'TELNET',
  'SNMP',
] as const;
export type Protocol = (typeof PROTOCOLS)[number];

export const SENSOR_TYPES = ['UNSPECIFIED', 'ICS', 'NETWORK', 'ENDPOINT'] as const;
export type SensorType = (typeof SENSOR_TYPES)[number];

/** From least to most dangerous. The label `intent` has the name in lower case. */
export const CONTROL_INTENTS = ['UNSPECIFIED', 'DISCOVER', 'READ', 'WRITE', 'CONTROL', 'PROGRAM'] as const;
export type ControlIntent = (typeof CONTROL_INTENTS)[number];

/** The label `verdict` has the name in lower case. UNSPECIFIED: not judged yet. */
export const VERDICTS = ['UNSPECIFIED', 'MALICIOUS', 'SUSPICIOUS', 'SCANNER', 'BENIGN', 'UNKNOWN'] as const;
export type VerdictName = (typeof VERDICTS)[number];

/** Traffic Light Protocol 2.0, from least to most restricted. */
export const TLP_MARKINGS = ['UNSPECIFIED', 'CLEAR', 'GREEN', 'AMBER', 'AMBER_STRICT', 'RED'] as const;
export type TlpMarking = (typeof TLP_MARKINGS)[number];

/** The Protobuf number of a name. A linear search is enough for twelve names. */
export function numberOf<Name extends string>(vocabulary: readonly Name[], name: Name): number {
  return vocabulary.indexOf(name);
}

/** The later (more severe, more restricted, further advanced) of two names of one ordered vocabulary. */
export function higherOf<Name extends string>(vocabulary: readonly Name[], a: Name, b: Name): Name {
  return vocabulary.indexOf(a) >= vocabulary.indexOf(b) ? a : b;
}

/** The distinct names in vocabulary order, so that equal sets are equal lists. */
export function inVocabularyOrder<Name extends string>(
  vocabulary: readonly Name[],
  names: Iterable<Name>,
): Name[] {
  const wanted = new Set(names);
  return vocabulary.filter((name) => wanted.has(name));
}
