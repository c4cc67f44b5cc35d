// The summary by template: plain sentences made from checked facts, the same for the same facts, without any model.
//
// Nothing an attacker can choose goes in: no names, tags, commands or paths, and of values only those made of digits and
// hexadecimal digits, defanged. Families and warning lists are called as the operator's own data calls them. Numbers that move with every event (counts, times of day) stay out as well, since a
// changed summary is a new version in the feed.

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

/** Behaviours and techniques named at most: a summary is read at a glance. */
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

/** Types whose values are words that somebody chose. */
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

/** So that nothing that shows the summary makes a link of it. */
function defang(value: string): string {
  return value.replaceAll('.', '[.]').replaceAll(':', '[:]');
}

/** Lists like to name where they come from. */
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

/** Sensor-days are `sensor/day`; a sensor's own id may hold slashes. */
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

/** `modbus:read-coils` reads `modbus read coils`. Codes are ours, never an attacker's. */
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
