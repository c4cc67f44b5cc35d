// Room for bytes that requests hold in memory, such as bodies or answers. It is shared by all callers, and none of them
// can fill it alone: a caller holds at most as many bytes as are left free. One caller gets half of the room, two get a
// third each, and something is always left for the next.

import { ServiceError } from '../../domain/errors.ts';
import type { Counter, Family, Metrics } from '../../telemetry/metrics.ts';
import { type Allows, createMemoryLedger, type Ledger } from './ledger.ts';

export interface Rooms {
  readonly bodies: Room;
  /** For answers that clients have not accepted yet. */
  readonly answers: Room;
}

/** Where the rooms keep what is held. */
export interface RoomLedgers {
  readonly bodies: Ledger;
  readonly answers: Ledger;
}

/** Makes the rooms of a service, with metrics of both. */
export function createRooms(
  bytes: { readonly bodies: number; readonly answers: number },
  metrics: Metrics,
  ledgers: RoomLedgers = { bodies: createMemoryLedger(), answers: createMemoryLedger() },
): Rooms {
  const refused = metrics.counter(
    'http_memory_refusals_total',
    'Requests refused because the bytes of bodies or answers would be too many, of one caller or of all.',
    ['of', 'limit'],
  );
  const bodies = new Room(bytes.bodies, 'bodies', refused, ledgers.bodies);
  const answers = new Room(bytes.answers, 'answers', refused, ledgers.answers);
  metrics.gauge('http_memory_held_bytes', 'Bytes of request bodies and of answers that are held now.', () => [
    { labels: { of: 'bodies' }, value: bodies.used },
    { labels: { of: 'answers' }, value: answers.used },
  ]);
  return { bodies, answers };
}

/** Bytes that one request holds. */
export interface Reservation {
  /** Changes the number of bytes, without a limit: they are in memory already. */
  resize(bytes: number): void;
  /** Takes more bytes, or throws as `reserve` does. */
  grow(bytes: number): void;
  /** May be called again. Later changes have no effect. */
  release(): void;
}

/** A request can be answered soon after another one ends. */
const RETRY_AFTER_MS = 1_000;

export class Room {
  readonly #of: string;
  readonly #bytes: number;
  readonly #ledger: Ledger;
  readonly #refused: { readonly ofCaller: Counter; readonly ofAll: Counter };

  /** @param of what the bytes are: for messages and as a label of the metrics. */
  constructor(bytes: number, of: string, refused: Family<Counter>, ledger = createMemoryLedger()) {
    this.#bytes = bytes;
    this.#of = of;
    this.#ledger = ledger;
    this.#refused = { ofCaller: refused.with(of, 'caller'), ofAll: refused.with(of, 'all') };
  }

  /** Bytes that are held now. */
  get used(): number {
    return this.#ledger.total;
  }

  /**
   * @param owner a credential, or the address of a request without one.
   * @throws ServiceError `resource_exhausted` when the owner holds too much, `unavailable` when all together do.
   */
  reserve(owner: string, bytes: number): Reservation {
    const reservation = this.#open(owner);
    reservation.grow(bytes);
    return reservation;
  }

  /** Counts bytes that are in memory already. */
  hold(owner: string, bytes: number): Reservation {
    const reservation = this.#open(owner);
    reservation.resize(bytes);
    return reservation;
  }

  #open(owner: string): Reservation {
    let held = 0;
    let place: number | undefined;
    let released = false;
    const add = (bytes: number, allows?: Allows): boolean => {
      if (released || bytes === 0) return true;
      const added = this.#ledger.add(owner, bytes, place, allows);
      if (added === undefined) return false;
      held += bytes;
      place = held === 0 ? undefined : added;
      return true;
    };
    const resize = (wanted: number): void => void add(wanted - held);
    return {
      resize,
      // Judged and taken in one step: other threads take bytes too.
      grow: (more) => {
        const isAdded = add(more, (own, all) => own + more <= this.#bytes - all);
        if (!isAdded) throw this.#refusal(this.#ledger.of(owner));
      },
      release: () => {
        resize(0);
        released = true;
      },
    };
  }

  /** Throws as `reserve` does, and takes nothing. */
  require(owner: string, bytes: number): void {
    const held = this.#ledger.of(owner);
    if (held + bytes > this.#bytes - this.#ledger.total) throw this.#refusal(held);
  }

  #refusal(held: number): ServiceError {
    if (held > 0) {
      this.#refused.ofCaller.add();
      return new ServiceError(
        'resource_exhausted',
        `too many bytes of ${this.#of} are under way for this caller`,
        {
          reason: 'BYTES_UNDER_WAY_EXCEEDED',
          metadata: { subject: 'caller', of: this.#of, heldBytes: String(held) },
          retryAfterMs: RETRY_AFTER_MS,
        },
      );
    }
    this.#refused.ofAll.add();
    return new ServiceError('unavailable', `too many bytes of ${this.#of} are under way`, {
      reason: 'OVERLOADED',
      metadata: { of: this.#of },
      retryAfterMs: RETRY_AFTER_MS,
    });
  }
}
