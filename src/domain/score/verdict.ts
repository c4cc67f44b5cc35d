// The verdict on an indicator: one word for a reader in a hurry, with its reason. Rules `verdict-1`, tried in order:
//
//   a person marked it as false positive      benign
//   a person withdrew it                      unknown
//   a person confirmed its hostile categories malicious
//   it is on a list of known values           benign
//   a named research scanner, and only scans  scanner
//   a file that attackers wanted to load      suspicious
//   nothing proves that it acted itself       unknown
//   hostile, and surer than one ordinary key  malicious
//   sure enough, and of any category          suspicious
//   everything else                           unknown
//
// A low score never makes a verdict benign: only a person or a list does. The name of a scanner excuses scanning and
// nothing else.

import { INTENTS, type Indicator, type IndicatorRecord, type Label } from '../indicator/indicator.ts';
import { compareText } from '../sorted-list.ts';
import { numberOf, SEVERITIES, type ThreatCategory, VERDICTS, type VerdictName } from '../vocabulary.ts';
import { scoreFrom, UNPROVEN_RULE } from './confidence.ts';
import { isHostile } from './hostile.ts';
import type { ScoreReceipt, Verdict } from './score-receipt.ts';

const VERDICT_RULES = 'verdict-1';

/** The label with the verdict in lower case. It is computed and never taken from an observation. */
export const VERDICT_LABEL = 'verdict';

/** Higher than a single key of the default reliability 0.7 can bring any value. */
const MALICIOUS_FROM = 71;
/** What is less sure stays unknown. */
const SUSPICIOUS_FROM = 30;

/** A guesser of passwords is hostile, though each guess is of low severity. One failed login may be an error. */
const GUESSING = 'login:guessing';
/** A URL that an attacker typed. */
const MENTIONED_URL = 'mention:url';
/** Research scanners read at most. */
const DEEPEST_RESEARCH = INTENTS.indexOf('read');

/** What a verdict follows from, besides the record: terms of the receipt, or of the enrichment that makes it. */
export type VerdictTerms = Pick<
  ScoreReceipt,
  'score' | 'corroboration' | 'adjustment' | 'caps' | 'warningLists' | 'scanner'
>;

export function verdictOf(record: IndicatorRecord, terms: VerdictTerms): Verdict {
  // Who reports a scan does not support what others claim besides.
  const hostileScore = scoreFrom(record, terms, ({ hostile }) => hostile === true);
  const [verdict, because] = concluded(record, terms, hostileScore);
  return { rules: VERDICT_RULES, verdict, because, hostileScore };
}

function concluded(
  record: IndicatorRecord,
  { score, caps, warningLists = [], scanner }: VerdictTerms,
  hostileScore: number,
): readonly [Verdict['verdict'], string] {
  const { categories, severity } = record.indicator;
  const hostile = categories.filter(isHostile);
  if (record.disputedAt !== undefined) return ['BENIGN', 'a person marked it as false positive'];
  if (record.revokedAt !== undefined) return ['UNKNOWN', 'a person withdrew it'];
  const confirmed = record.confirmed?.filter(isHostile) ?? [];
  if (confirmed.length > 0) return ['MALICIOUS', `a person confirmed it as ${inWords(confirmed)}`];

  const known = warningLists.find(({ standing }) => standing === 'known');
  if (known !== undefined) return ['BENIGN', `the list "${known.name}" names it as a well-known value`];
  const isMildScan = onlyScans(record);
  if (scanner !== undefined && isMildScan)
    return ['SCANNER', `${nameOf(scanner)}, and nothing but scans was seen`];
  if (isWantedFile(record))
    return ['SUSPICIOUS', 'an attacker wanted to load it, and nothing is known to have come'];
  if (caps.some(({ rule }) => rule === UNPROVEN_RULE))
    return ['UNKNOWN', 'nothing proves that it acted itself'];

  const excess = scanner === undefined ? '' : `${nameOf(scanner)}, but it did more than scan: `;
  const isSevere = numberOf(SEVERITIES, severity) >= numberOf(SEVERITIES, 'MEDIUM');
  const isDeliberate = isSevere || record.evidence.behaviours.includes(GUESSING);
  if (hostile.length > 0 && isDeliberate && hostileScore >= MALICIOUS_FROM)
    return ['MALICIOUS', `${excess}${inWords(hostile)} with confidence ${hostileScore}`];
  if (categories.length === 0) return ['UNKNOWN', 'nobody says what it does'];
  if (score < SUSPICIOUS_FROM) return ['UNKNOWN', `confidence ${score} is below ${SUSPICIOUS_FROM}`];
  if (isMildScan) return ['SUSPICIOUS', 'it scans, and nobody knows it as a research scanner'];
  if (hostile.length === 0)
    return ['SUSPICIOUS', `${excess}${inWords(categories)}, which has honest uses too`];
  return [
    'SUSPICIOUS',
    `${excess}${inWords(hostile)}, ${isDeliberate ? `but its confidence ${hostileScore} is below ${MALICIOUS_FROM}` : 'but nothing severe'}`,
  ];
}

/**
 * Whether nothing is known of it but that attackers wanted to load this file. The front page of a site is not meant:
 * whoever types the name of a bank can not make its site suspicious.
 */
function isWantedFile({ indicator, evidence }: IndicatorRecord): boolean {
  if (indicator.type !== 'URL' || evidence.behaviours.join() !== MENTIONED_URL) return false;
  const { pathname = '/', search = '' } = URL.parse(indicator.value) ?? {};
  return pathname !== '/' || search !== '';
}

/** Whether everything that was seen is what research scanners do. */
function onlyScans({ indicator, evidence }: IndicatorRecord): boolean {
  return (
    indicator.categories.every((category) => category === 'SCANNER') &&
    INTENTS.indexOf(evidence.lead.intent) <= DEEPEST_RESEARCH
  );
}

function nameOf({ name, by }: NonNullable<ScoreReceipt['scanner']>): string {
  return by === 'reverse-name'
    ? `its confirmed reverse name belongs to ${name}`
    : `${name} publishes its address`;
}

function inWords(categories: readonly ThreatCategory[]): string {
  return categories.map((category) => category.toLowerCase().replaceAll('_', ' ')).join(', ');
}

/**
 * The record with its verdict as a label and in the receipt. A record that is not enriched yet has none: lists and names
 * are not looked up yet.
 */
export function judged(record: IndicatorRecord): IndicatorRecord {
  const { indicator, receipt } = record;
  if (receipt === undefined || indicator.enrichment === undefined) return record;
  const verdict = verdictOf(record, receipt);
  return {
    ...record,
    receipt: { ...receipt, verdict },
    indicator: { ...indicator, labels: withVerdictLabel(indicator.labels, verdict.verdict) },
  };
}

function withVerdictLabel(labels: readonly Label[], verdict: Verdict['verdict']): readonly Label[] {
  const label = { key: VERDICT_LABEL, value: verdict.toLowerCase() };
  const others = labels.filter(({ key }) => key !== VERDICT_LABEL);
  const place = others.findIndex(({ key }) => compareText(key, VERDICT_LABEL) > 0);
  return place < 0 ? [...others, label] : others.toSpliced(place, 0, label);
}

/** The verdict that the labels of an indicator name. */
export function verdictIn({ labels }: Pick<Indicator, 'labels'>): VerdictName {
  const value = labels.find(({ key }) => key === VERDICT_LABEL)?.value;
  return VERDICTS.find((name) => name.toLowerCase() === value) ?? 'UNSPECIFIED';
}
