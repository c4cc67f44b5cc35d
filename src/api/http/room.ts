// Room for bytes that requests hold in memory, such as bodies or answers. It is shared by all callers, and none of them
// can fill it alone: a caller holds at most as many bytes as are left free. One caller gets half of the room, two get a
// third each, and something is always left for the next.

import { ServiceError } from '../../domain/errors.ts';
import type { Counter, Family, Metrics } from '../../telemetry/metrics.ts';

export interface Rooms {
  readonly bodies: Room;
  /** For answers that clients have not accepted yet. */
  readonly answers: Room;
}

/** Makes the rooms of a service, with metrics of both. */
export function createRooms(
  bytes: { readonly bodies: number; readonly answers: number },
  metrics: Metrics,
): Rooms {
  const refused = metrics.counter(
    'http_memory_refusals_total',
    'Requests refused because the bytes of bodies or answers would be too many, of one caller or of all.',
    ['of', 'limit'],
  );
  const bodies = new Room(bytes.bodies, 'bodies', refused);
  const answers = new Room(bytes.answers, 'answers', refused);
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
  readonly #held = new Map<string, number>();
  readonly #refused: { readonly ofCaller: Counter; readonly ofAll: Counter };
  #used = 0;

  /** @param of what the bytes are: for messages and as a label of the metrics. */
  constructor(bytes: number, of: string, refused: Family<Counter>) {
    this.#bytes = bytes;
    this.#of = of;
    this.#refused = { ofCaller: refused.with(of, 'caller'), ofAll: refused.with(of, 'all') };
  }

  /** Bytes that are held now. */
  get used(): number {
    return this.#used;
  }

  /**
   * @param owner a credential, or the address of a request without one.
   * @throws ServiceError `resource_exhausted` when the owner holds too much, `unavailable` when all together do.
   */
  reserve(owner: string, bytes: number): Reservation {
    this.require(owner, bytes);
    return this.hold(owner, bytes);
  }

  /** Counts bytes that are in memory already. */
  hold(owner: string, bytes: number): Reservation {
    let held = 0;
    let released = false;
    const resize = (wanted: number): void => {
      if (released) return;
      this.#add(owner, wanted - held);
      held = wanted;
    };
    resize(bytes);
    return {
      resize,
      grow: (more) => {
        this.require(owner, more);
        resize(held + more);
      },
      release: () => {
        resize(0);
        released = true;
      },
    };
  }

  /** Throws as `reserve` does, and takes nothing. */
  require(owner: string, bytes: number): void {
    const free = this.#bytes - this.#used;
    const held = this.#held.get(owner) ?? 0;
    if (held + bytes <= free) return;
    if (held > 0) {
      this.#refused.ofCaller.add();
      throw new ServiceError(
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
    throw new ServiceError('unavailable', `too many bytes of ${this.#of} are under way`, {
      reason: 'OVERLOADED',
      metadata: { of: this.#of },
      retryAfterMs: RETRY_AFTER_MS,
    });
  }

  #add(owner: string, bytes: number): void {
    if (bytes === 0) return;
    this.#used += bytes;
    const held = (this.#held.get(owner) ?? 0) + bytes;
    if (held === 0) this.#held.delete(owner);
    else this.#held.set(owner, held);
  }
}
