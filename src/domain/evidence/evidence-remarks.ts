// What the service did not understand of the evidence of an event, so that its sender can see why the event says less
// than the sensor saw.

import type { SensorEvent } from '../indicator/sensor-event.ts';
import { nearestName } from '../nearest-name.ts';
import type { Protocol } from '../vocabulary.ts';
import { evidenceDecoder } from './behaviour.ts';
import { EVIDENCE_KEYS, type EvidenceKey, evidenceValue, isPlaceholder } from './evidence-key.ts';
import { soundsSecret } from './kept-values.ts';

export type EvidenceProblem = 'UNKNOWN_KEY' | 'UNKNOWN_VALUE' | 'MISSING_KEY';

export interface EvidenceRemark {
  /** The key of the entry, or the key that is missing. */
  readonly key: string;
  readonly problem: EvidenceProblem;
  /** Of an unknown key: the nearest known one; empty if none is near. */
  readonly nearestKey: string;
}

/** Remarks about one event. */
const MAX_REMARKS = 10;
/** Distinct unknown keys of a batch that are compared with the known ones. */
const MAX_COMPARED = 100;
/** A nearest key differs in at most this share of its letters. */
const NEAR = 0.5;

const NONE: readonly EvidenceRemark[] = [];
const KNOWN: ReadonlySet<string> = new Set(Object.keys(EVIDENCE_KEYS));

/** Keys that only refine another key, with that key. */
const REFINED: ReadonlyMap<string, EvidenceKey> = new Map([
  ['modbus.mei_type', 'modbus.function_code'],
  ['modbus.diagnostic_subfunction', 'modbus.function_code'],
  ['modbus.umas_function', 'modbus.function_code'],
  ['s7.rosctr', 's7.function_code'],
  ['s7.subfunction', 's7.function_code'],
  ['bacnet.object_type', 'bacnet.service'],
  ['login.tries', 'login.result'],
  ['login.default_credentials', 'login.result'],
]);

/** The key that decides what an event of a control protocol did. */
const DECISIVE: Readonly<Partial<Record<Protocol, EvidenceKey>>> = {
  MODBUS: 'modbus.function_code',
  DNP3: 'dnp3.function_code',
  S7: 's7.function_code',
  BACNET: 'bacnet.service',
  OPC_UA: 'opcua.service',
  SNMP: 'snmp.operation',
};

/** Keys with a closed list of values. Any text is right for the others, or a code that is not in a table. */
const CLOSED: ReadonlySet<string> = new Set([
  'scan.type',
  'login.result',
  'exploit.cve',
  'snmp.operation',
  'alert.kind',
] satisfies EvidenceKey[]);

/** Judges the events of one batch: at most ten remarks for each. */
export function createEvidenceJudge(): (event: SensorEvent) => readonly EvidenceRemark[] {
  const compared = new Map<string, string>();
  const nearestTo = (key: string): string => {
    const known = compared.get(key);
    if (known !== undefined) return known;
    if (compared.size === MAX_COMPARED) return '';
    const nearest = nearestName(key, KNOWN, NEAR) ?? '';
    compared.set(key, nearest);
    return nearest;
  };
  return (event) => {
    const { evidence, protocol } = event;
    let remarks: EvidenceRemark[] | undefined;
    const note = (key: string, problem: EvidenceProblem, nearestKey = ''): void => {
      remarks ??= [];
      if (remarks.length < MAX_REMARKS && !remarks.some((one) => one.key === key))
        remarks.push({ key, problem, nearestKey });
    };
    let decisive = DECISIVE[protocol];
    if (decisive !== undefined && evidenceValue(evidence, decisive) !== undefined) decisive = undefined;
    for (const key of Object.keys(evidence)) {
      const refined = REFINED.get(key);
      // No key takes a password, so none is proposed for one.
      if (!KNOWN.has(key)) note(key, 'UNKNOWN_KEY', soundsSecret(key) ? '' : nearestTo(key));
      else if (refined !== undefined) {
        const isGiven = !isPlaceholder(evidence[key] ?? '');
        if (isGiven && evidenceValue(evidence, refined) === undefined) note(refined, 'MISSING_KEY');
      } else if (decisive !== undefined || CLOSED.has(key)) {
        const value = evidence[key] ?? '';
        if (isPlaceholder(value)) continue;
        if (evidenceDecoder(key)?.(value, event) !== undefined) decisive = undefined;
        else if (CLOSED.has(key)) note(key, 'UNKNOWN_VALUE');
      }
    }
    if (decisive !== undefined) note(decisive, 'MISSING_KEY');
    return remarks ?? NONE;
  };
}
