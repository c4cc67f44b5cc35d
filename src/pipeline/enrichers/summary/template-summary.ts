// The summary from a template: two to four sentences of checked facts, the most important first. Equal facts give equal
// sentences.
//
//   who (country, network, named scanner) did what (the worst act first) to what, how often and since when
//   with what: command, request, file, names, family
//   what follows
//
// Text of attackers is quoted and made safe (quoted.ts). It comes from the view of the reader (highlights.ts).

import { highlighted } from '../../../domain/evidence/highlights.ts';
import type { IndicatorRecord } from '../../../domain/indicator/indicator.ts';
import { verdictOf } from '../../../domain/score/verdict.ts';
import type { Protocol } from '../../../domain/vocabulary.ts';
import type { Enricher, Finding, Signal } from '../../enricher.ts';
import { actsOf, type Role, worstFirst } from './acts.ts';
import { adviceFor } from './advice.ts';
import { detailsOf } from './details.ts';
import { counted, howOften, listed, period, sensors } from './extent.ts';
import { roleOf, subjectOf } from './subject.ts';

const PROTOCOL_NAMES: Readonly<Partial<Record<Protocol, string>>> = {
  UNSPECIFIED: '',
  MODBUS: 'Modbus',
  BACNET: 'BACnet',
  OPC_UA: 'OPC UA',
  TELNET: 'Telnet',
};

export const templateSummary: Enricher = {
  name: 'template-summary',
  appliesTo: () => true,
  enrich: (signal) => ({ summary: summarise(signal) }),
};

function summarise({ record, receipt, findings }: Signal): string {
  const { indicator, evidence } = record;
  const role = roleOf(indicator, evidence.behaviours);
  const highlights = evidence.highlights ?? [];
  const ports = portsOf(highlighted(highlights, 'destination.port'));
  const verdict = verdictOf(record, { ...receipt, ...listsIn(findings) });
  const known = findings.warningLists?.find(({ standing }) => standing === 'known');
  const advice = adviceFor({
    record,
    verdict,
    role,
    service: serviceOf(indicator.protocol, ports),
    isShared: findings.warningLists?.some(({ standing }) => standing === 'shared') ?? false,
    ...(findings.scanner === undefined ? undefined : { scanner: findings.scanner }),
    ...(known === undefined ? undefined : { knownBy: known.name }),
  });
  return [
    whatHappened(record, receipt.groups.length, role, ports, findings),
    ...detailsOf(
      highlights,
      findings.malwareFamilies ?? [],
      role,
      evidence.behaviours.includes('http:exploit'),
    ),
    advice,
  ].join(' ');
}

function listsIn({ warningLists, scanner }: Finding): Pick<Finding, 'warningLists' | 'scanner'> {
  return {
    ...(warningLists === undefined ? undefined : { warningLists }),
    ...(scanner === undefined ? undefined : { scanner }),
  };
}

function whatHappened(
  record: IndicatorRecord,
  groups: number,
  role: Role,
  ports: readonly string[],
  findings: Finding,
): string {
  const { indicator, evidence } = record;
  const subject = subjectOf(indicator, findings);
  const ordered = worstFirst(evidence.behaviours);
  const seenBy = sensors(record);
  const { firstSeen, lastSeen, categories, sources } = indicator;
  if (seenBy === undefined || ordered.length === 0) {
    const acts = ordered.length === 0 ? [reportedAs(categories)] : actsOf(ordered, role);
    return `${subject} ${listed(acts)} by ${reporters(sources.length, groups)}, ${period(firstSeen, lastSeen)}.`;
  }
  const acts = listed(actsOf(ordered, role));
  const by = ordered[0]?.startsWith('alert:') === true ? 'According to a detection rule, ' : '';
  const begin = by === '' ? subject : by + uncapital(subject);
  const protocol = PROTOCOL_NAMES[indicator.protocol] ?? indicator.protocol;
  const over = protocol === '' || acts.includes(protocol) ? '' : ` over ${protocol}`;
  const where =
    role === 'actor' && ports.length > 0
      ? ` on ${ports.length === 1 ? 'port' : 'ports'} ${listed(ports)} of ${seenBy}`
      : `, seen by ${seenBy}`;
  return `${begin} ${acts}${over}${where}, ${howOften(record)}.`;
}

function reportedAs(categories: readonly string[]): string {
  const words = categories.map((category) => category.toLowerCase().replaceAll('_', ' '));
  return words.length === 0 ? 'is reported without a reason' : `is reported as ${listed(words)}`;
}

function reporters(sources: number, groups: number): string {
  if (sources === 1) return 'one source';
  return groups === sources
    ? `${sources} independent sources`
    : `${counted(sources, 'source')} (${groups} independent)`;
}

/** Numbers only, in order: a port is text of a reporter. */
function portsOf(values: readonly string[]): readonly string[] {
  return values.filter((value) => /^\d{1,5}$/.test(value)).sort((a, b) => Number(a) - Number(b));
}

function serviceOf(protocol: Protocol, ports: readonly string[]): string {
  const name = PROTOCOL_NAMES[protocol] ?? protocol;
  const [port] = ports;
  if (ports.length !== 1) return name;
  return name === '' ? `port ${port}` : `${name} (port ${port})`;
}

/** `This URL` begins a sentence; inside one it is `this URL`. */
function uncapital(subject: string): string {
  return /^(?:This|The) /.test(subject) ? subject.charAt(0).toLowerCase() + subject.slice(1) : subject;
}
