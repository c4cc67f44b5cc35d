// What `tis ingest --explain` prints: what became of each record and each event, in the order of the file.

import { decodeBehaviours } from '../../domain/evidence/behaviour.ts';
import { createEvidenceJudge, type EvidenceRemark } from '../../domain/evidence/evidence-remarks.ts';
import type { SensorEvent } from '../../domain/indicator/sensor-event.ts';
import type { EventResult } from '../../pipeline/reporter.ts';
import type { RecordResult } from '../../sensors/reader.ts';

/** Of one record without an event, or of one event. `--json` prints it as one line. */
export interface Explanation {
  readonly file: string;
  /** Line of the record, from 1. */
  readonly line: number;
  readonly result: EventResult['status'] | 'RECORD_REFUSED' | 'WITHOUT_OBSERVABLE';
  /** Of an event. */
  readonly value?: string;
  /** Of an event that was taken: what the peer did, by its evidence. */
  readonly behaviours?: readonly string[];
  /** Why the event or the record was refused. */
  readonly reason?: string;
  /** More about the reason; of a record without observable its kind, as the log names it. */
  readonly detail?: string;
  readonly notUnderstood?: readonly EvidenceRemark[];
}

/** Explanations that wait for an earlier event. More are not kept: the caller waits for the events. */
const MAX_WAITING = 10_000;
/** Characters of a value or a detail. */
const MAX_TEXT = 200;

/** An explanation, or a place for one. */
interface Place {
  explanation?: Explanation;
}

/** Prints the explanations in the order in which their places were taken. */
export class Explainer {
  readonly #print: (explanation: Explanation) => void;
  #waiting: Place[] = [];
  #judge = createEvidenceJudge();

  constructor(print: (explanation: Explanation) => void) {
    this.#print = print;
  }

  /** Whether the caller should wait until the events so far are decided. */
  get isFull(): boolean {
    return this.#waiting.length >= MAX_WAITING;
  }

  /** Explains a record without events. */
  record(file: string, record: Exclude<RecordResult, { kind: 'events' }>): void {
    const { line } = record;
    const place: Place = {
      explanation:
        record.kind === 'refused'
          ? { file, line, result: 'RECORD_REFUSED', reason: record.reason, ...detailed(record.detail) }
          : { file, line, result: 'WITHOUT_OBSERVABLE', ...detailed(record.what) },
    };
    this.#waiting.push(place);
    this.#flush();
  }

  /** Takes the place of an event. Call the function with its result. */
  event(file: string, line: number, event: SensorEvent): (result: EventResult) => void {
    const place: Place = {};
    this.#waiting.push(place);
    return ({ status, reason }) => {
      const remarks = this.#judge(event);
      place.explanation = {
        file,
        line,
        result: status,
        value: event.value.slice(0, MAX_TEXT),
        ...(reason === undefined ? { behaviours: decodeBehaviours(event).behaviours } : { reason }),
        ...(remarks.length === 0 ? {} : { notUnderstood: remarks }),
      };
      this.#flush();
    };
  }

  #flush(): void {
    let end = 0;
    for (const { explanation } of this.#waiting) {
      if (explanation === undefined) break;
      this.#print(explanation);
      end += 1;
    }
    if (end > 0) this.#waiting = this.#waiting.slice(end);
  }
}

function detailed(detail: string | undefined): Pick<Explanation, 'detail'> {
  return detail === undefined || detail === '' ? {} : { detail: detail.slice(0, MAX_TEXT) };
}

const RESULTS: Readonly<Record<Explanation['result'], string>> = {
  ACCEPTED: 'accepted',
  DUPLICATE: 'duplicate',
  REFUSED: 'refused',
  RECORD_REFUSED: 'record refused',
  WITHOUT_OBSERVABLE: 'nothing to report',
};

/** `events.jsonl:3: 10.0.0.1 refused, PRIVATE_ADDRESS`. */
export function explanationLine(explanation: Explanation): string {
  const { file, line, value, result, behaviours = [], reason, detail, notUnderstood = [] } = explanation;
  const subject = value === undefined ? '' : `${value} `;
  const act = behaviours.length === 0 ? '' : ` as ${behaviours.join(' ')}`;
  const why = [reason, detail].filter((part) => part !== undefined);
  return [
    `${file}:${line}: ${subject}${RESULTS[result]}${act}`,
    ...why,
    ...notUnderstood.map(remarkText),
  ].join(', ');
}

function remarkText({ key, problem, nearestKey }: EvidenceRemark): string {
  const name = `evidence key ${JSON.stringify(key)}`;
  if (problem === 'MISSING_KEY') return `${name} is missing`;
  if (problem === 'UNKNOWN_VALUE') return `the value of ${name} is not known`;
  return nearestKey === '' ? `${name} is not known` : `${name} is not known; the nearest is ${nearestKey}`;
}
