// Conpot's text log, written by Python's logging. A record is a line that starts with a time, and all lines up to the
// next such line. Stack traces and dumps of EtherNet/IP messages have many lines.

import type { Evidence } from '../evidence.ts';
import { splitLines } from '../framing/lines.ts';
import { OwnAddresses } from '../home-net.ts';
import {
  type Line,
  type ReaderOptions,
  type RecordReader,
  type RecordResult,
  type RefusalReason,
  refused,
  type SensorFormat,
  withoutObservable,
} from '../reader.ts';
import { RecentMap } from '../recent-map.ts';
import { recordTime } from '../sensor-record.ts';
import { CONNECTION, CONPOT_SENSOR, type ConpotObservation, conpotEvent } from './event.ts';
import { interpretMessage, type Message } from './text-message.ts';

/** `2019-04-22 20:26:35,839 ` */
const TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2},\d{3} /;
const TIME_LENGTH = 23;
/** No real record is longer. The bound protects the memory. */
const MAX_RECORD_CHARACTERS = 1_048_576;
const MAX_SESSIONS = 65_536;

export const conpotText: SensorFormat = {
  name: 'conpot-text',
  frame: splitLines,
  recognise: recogniseConpot,
  createReader: (options) => new ConpotTextReader(options),
};

/** Any Python program may log in this shape, so the sample must also have words of Conpot. */
function recogniseConpot(sample: readonly string[]): number {
  const messages = sample.filter((line) => TIME.test(line)).map((line) => line.slice(TIME_LENGTH + 1));
  return messages.some((message) => /conpot/i.test(message) || interpretMessage(message, []) !== undefined)
    ? messages.length
    : 0;
}

type Arrival = Extract<Message, { kind: 'session' | 'connection' }>;

/** What becomes an event, or the reason why it cannot. Undefined when there is nothing to report. */
type Seen = Pick<ConpotObservation, 'protocol' | 'address' | 'evidence'> | RefusalReason | undefined;

/** A record whose last line has not been read yet. */
interface OpenRecord {
  readonly line: number;
  readonly lines: string[];
  characters: number;
  /** Set when the record is refused already. */
  refusal?: RefusalReason;
}

class ConpotTextReader implements RecordReader {
  readonly #sensorId: string;
  readonly #own = new OwnAddresses();
  /** The address of each session, for messages that name only the session. */
  readonly #sessions = new RecentMap<string, string>(MAX_SESSIONS);
  /** The kind of message that reported the last arrival of a peer, until the other kind reports the same arrival. */
  readonly #arrivals = new RecentMap<string, Arrival['kind']>(MAX_SESSIONS);
  #open: OpenRecord | undefined;

  constructor(options: ReaderOptions) {
    this.#sensorId = options.sensor ?? CONPOT_SENSOR;
  }

  read(line: Line): RecordResult | undefined {
    if (line.fault !== undefined) return this.#begin(line, line.fault);
    if (TIME.test(line.text)) return this.#begin(line);
    if (this.#open === undefined)
      return line.text.trim() === '' ? undefined : this.#begin(line, 'NO_TIMESTAMP');
    this.#continue(this.#open, line.text);
    return undefined;
  }

  end(): RecordResult | undefined {
    const record = this.#open;
    this.#open = undefined;
    return record === undefined ? undefined : this.#result(record);
  }

  #begin(line: Line, refusal?: RefusalReason): RecordResult | undefined {
    const finished = this.end();
    this.#open = {
      line: line.number,
      lines: [line.text],
      characters: line.text.length,
      ...(refusal === undefined ? {} : { refusal }),
    };
    return finished;
  }

  #continue(record: OpenRecord, text: string): void {
    if (record.refusal !== undefined) return;
    record.characters += text.length + 1;
    if (record.characters > MAX_RECORD_CHARACTERS) {
      record.refusal = 'RECORD_TOO_LONG';
      record.lines.length = 0;
    } else {
      record.lines.push(text);
    }
  }

  #result(record: OpenRecord): RecordResult {
    const { line, lines, refusal } = record;
    if (refusal !== undefined) return refused(line, refusal);
    const [first = ''] = lines;
    const observedAt = recordTime(first.slice(0, TIME_LENGTH));
    if (observedAt === undefined) return refused(line, 'INVALID_TIMESTAMP');
    const message = interpretMessage(first.slice(TIME_LENGTH + 1), lines.slice(1));
    const seen = message && this.#seen(message);
    if (seen === undefined) return withoutObservable(line, first.slice(TIME_LENGTH + 1));
    if (typeof seen === 'string') return refused(line, seen);
    return conpotEvent(
      { line, record: lines.join('\n'), sensorId: this.#sensorId, observedAt, ...seen },
      this.#own,
    );
  }

  #seen(message: Message): Seen {
    switch (message.kind) {
      case 'own-address':
        this.#own.add(message.address);
        return undefined;
      case 'damaged':
        return 'DAMAGED_RECORD';
      case 'session':
      case 'connection':
        return this.#arrival(message);
      case 'request':
        return { ...message, evidence: orConnection(message.evidence) };
      case 'in-session': {
        const address = this.#sessions.get(message.session);
        return address === undefined ? 'UNKNOWN_SESSION' : { ...message, address };
      }
    }
  }

  /**
   * Conpot reports one arrival twice, as `New modbus session` and as `New Modbus connection`. The message that comes
   * first becomes the event, and the other one adds nothing. A session has several connections, and each further one
   * is an arrival of its own.
   */
  #arrival({ kind, protocol, address, session }: Arrival): Seen {
    if (session !== undefined) this.#sessions.set(session, address);
    const peer = `${protocol.name} ${address}`;
    const reportedBy = this.#arrivals.get(peer);
    if (reportedBy !== undefined && reportedBy !== kind) {
      this.#arrivals.delete(peer);
      return undefined;
    }
    this.#arrivals.set(peer, kind);
    return { protocol, address, evidence: CONNECTION };
  }
}

/** A request that cannot be decoded still shows a connection. */
function orConnection(evidence: Evidence): Evidence {
  return Object.keys(evidence).length === 0 ? CONNECTION : evidence;
}
