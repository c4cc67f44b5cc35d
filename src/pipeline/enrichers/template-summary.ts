// The summary from a template: plain sentences from checked facts. Equal facts give equal sentences.
//
// The summary contains no text that an attacker can choose: no names, tags, commands or paths. It contains a value only
// if the value consists of digits and hexadecimal digits, and defangs it. Names of families and warning lists come from
// the operator's data. Counts and times of day are left out: they change with every event, and a changed summary is a
// new version in the feed.

import { behaviourRule } from '../../domain/evidence/behaviour-rules.ts';
import {
  INTENTS,
  type Indicator,
  type IndicatorRecord,
  type Intent,
} from '../../domain/indicator/indicator.ts';
import { SENSOR_DAY_LIMIT } from '../../domain/indicator/merge.ts';
import { type Instant, toRfc3339 } from '../../domain/instant.ts';
import { type IndicatorType, numberOf, type Protocol, SEVERITIES } from '../../domain/vocabulary.ts';
import type { Enricher, Signal } from '../enricher.ts';

/** Behaviours, techniques, families and lists that are named. */
const NAMED_LIMIT = 5;
const DATE_LENGTH = 'YYYY-MM-DD'.length;

const TYPE_NAMES: Readonly<Record<IndicatorType, string>> = {
  UNSPECIFIED: 'Indicator',
  IPV4: 'IPv4 address',
  IPV6: 'IPv6 address',
  DOMAIN: 'Domain',
  URL: 'URL',
  FILE_HASH_MD5: 'File with MD5',
  FILE_HASH_SHA1: 'File with SHA-1',
  FILE_HASH_SHA256: 'File with SHA-256',
  EMAIL: 'E-mail address',
  CIDR: 'Network',
  JA3: 'TLS client with JA3',
  SSL_CERT_FINGERPRINT: 'Certificate with fingerprint',
};

/** Types whose values an attacker can choose freely. */
const CHOSEN: ReadonlySet<IndicatorType> = new Set(['UNSPECIFIED', 'DOMAIN', 'URL', 'EMAIL']);

const PROTOCOL_NAMES: Readonly<Partial<Record<Protocol, string>>> = {
  MODBUS: 'Modbus',
  BACNET: 'BACnet',
  OPC_UA: 'OPC UA',
  TELNET: 'Telnet',
};

const INTENT_PHRASES: Readonly<Record<Exclude<Intent, 'none'>, string>> = {
  discover: 'asked control systems what they are',
  read: 'read from control systems',
  write: 'sent write commands to control systems',
  control: 'sent commands that change how control systems run',
  program: 'tried to change the program of control systems',
};

export const templateSummary: Enricher = {
  name: 'template-summary',
  appliesTo: () => true,
  enrich: (signal) => ({ summary: summarise(signal) }),
};

function summarise({ record, receipt, findings }: Signal): string {
  const { indicator, evidence } = record;
  const sentences = [
    `${subject(indicator)} ${activity(evidence.lead.intent, indicator.protocol)}.`,
    `${reporters(record, receipt.groups.length)}, ${period(indicator.firstSeen, indicator.lastSeen)}.`,
  ];
  const behaviours = evidence.behaviours;
  if (behaviours.length > 0) sentences.push(`Observed: ${enumerate(worstFirst(behaviours).map(phrase))}.`);
  if (indicator.categories.length > 0) {
    sentences.push(`Categories: ${indicator.categories.map((category) => words(category)).join(', ')}.`);
  }
  const families = findings.malwareFamilies ?? [];
  if (families.length > 0) sentences.push(`Malware: ${enumerate(families.map(withoutLinks), '; ')}.`);
  const techniques = findings.techniques ?? [];
  if (techniques.length > 0) sentences.push(`ATT&CK: ${enumerate(techniques.map(({ id }) => id))}.`);
  const lists = findings.warningLists ?? [];
  if (lists.length > 0) {
    sentences.push(
      `On warning lists: ${enumerate(
        lists.map(({ name }) => withoutLinks(name)),
        '; ',
      )}.`,
    );
  }
  const risk = findings.risk === undefined ? '' : `, risk ${findings.risk.score.toFixed(2)}`;
  sentences.push(`Severity ${words(indicator.severity)}, confidence ${receipt.score} of 100${risk}.`);
  return sentences.join(' ');
}

function subject({ type, value }: Indicator): string {
  return CHOSEN.has(type) ? TYPE_NAMES[type] : `${TYPE_NAMES[type]} ${defang(value)}`;
}

/** Prevents a viewer from turning the value into a link. */
function defang(value: string): string {
  return value.replaceAll('.', '[.]').replaceAll(':', '[:]');
}

/** Names of lists often contain the URL of their source. */
function withoutLinks(name: string): string {
  return name.replace(/\s*\(?\b[a-z]+:\/\/[^\s)]*\)?/gi, '');
}

function activity(intent: Intent, protocol: Protocol): string {
  const over = protocol === 'UNSPECIFIED' ? '' : ` over ${PROTOCOL_NAMES[protocol] ?? protocol}`;
  if (intent !== 'none') return INTENT_PHRASES[intent] + over;
  return over === '' ? 'was reported' : `was active${over}`;
}

function reporters({ indicator, evidence }: IndicatorRecord, groups: number): string {
  const sources = `Reported by ${count(indicator.sources.length, 'source')}`;
  const independent = indicator.sources.length > 1 ? ` (${groups} independent)` : '';
  const sensors = sensorsOf(evidence.sensorDays);
  if (sensors === 0) return sources + independent;
  const atLeast = evidence.sensorDays.length < SENSOR_DAY_LIMIT ? '' : 'at least ';
  return `${sources}${independent}, seen by ${atLeast}${count(sensors, 'sensor')}`;
}

/** Sensor-days are `sensor/day`. The id of a sensor may contain slashes. */
function sensorsOf(sensorDays: readonly string[]): number {
  if (sensorDays.length < 2) return sensorDays.length;
  return new Set(sensorDays.map((sensorDay) => sensorDay.slice(0, sensorDay.lastIndexOf('/')))).size;
}

function period(firstSeen: Instant, lastSeen: Instant): string {
  const first = dateOf(firstSeen);
  const last = dateOf(lastSeen);
  return first === last ? `on ${first}` : `between ${first} and ${last}`;
}

function dateOf(instant: Instant): string {
  return toRfc3339(instant).slice(0, DATE_LENGTH);
}

function worstFirst(behaviours: readonly string[]): readonly string[] {
  return behaviours.length < 2 ? behaviours : behaviours.toSorted((a, b) => rank(b) - rank(a));
}

function rank(code: string): number {
  const rule = behaviourRule(code);
  if (rule === undefined) return -1;
  return numberOf(SEVERITIES, rule.severity) * INTENTS.length + INTENTS.indexOf(rule.intent);
}

/** `modbus:read-coils` becomes `modbus read coils`. The codes are constants of the service. */
function phrase(code: string): string {
  return code.replace(/[:-]/g, ' ');
}

function words(name: string): string {
  return name.toLowerCase().replaceAll('_', ' ');
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function enumerate(items: readonly string[], separator = ', '): string {
  if (items.length <= NAMED_LIMIT) return items.join(separator);
  return `${items.slice(0, NAMED_LIMIT).join(separator)} and ${items.length - NAMED_LIMIT} more`;
}
