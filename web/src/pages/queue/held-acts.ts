// Acts that can be taken back. A confirmation is final, so it is held for ten seconds before it is sent. A dispute is sent at
// once and taken back by a second request.

const HELD_MS = 10_000;
/** Requests of a batch at the same time. */
const AT_ONCE = 4;

export interface Batch {
  readonly ids: readonly string[];
  /** For messages. */
  readonly what: string;
}

interface Done extends Batch {
  readonly takeBack: () => Promise<readonly Failure[]> | undefined;
}

export interface Failure {
  readonly id: string;
  readonly error: unknown;
}

export class HeldActs {
  readonly #done: Done[] = [];
  readonly #waiting = new Set<() => void>();

  /** Sends later, unless it is taken back before. `onSent` gets what failed. */
  hold(
    batch: Batch,
    send: (id: string) => Promise<unknown>,
    onSent: (failed: readonly Failure[]) => void,
  ): void {
    const sendNow = () => {
      clearTimeout(timer);
      this.#waiting.delete(sendNow);
      this.#forget(done);
      void sendAll(batch.ids, send).then(onSent);
    };
    const timer = setTimeout(sendNow, HELD_MS);
    const done: Done = {
      ...batch,
      takeBack: () => {
        clearTimeout(timer);
        this.#waiting.delete(sendNow);
        return undefined;
      },
    };
    this.#waiting.add(sendNow);
    this.#done.push(done);
  }

  /** Notes an act that was sent, and how to take it back. */
  note(batch: Batch, undo: (id: string) => Promise<unknown>): void {
    this.#done.push({ ...batch, takeBack: () => sendAll(batch.ids, undo) });
  }

  /** Takes the last act back. Undefined if there is none. */
  undo(): { readonly batch: Batch; readonly failed: Promise<readonly Failure[]> } | undefined {
    const last = this.#done.pop();
    if (last === undefined) return undefined;
    return { batch: last, failed: last.takeBack() ?? Promise.resolve([]) };
  }

  /** Sends at once what is held: somebody leaves the page. */
  flush(): void {
    for (const sendNow of [...this.#waiting]) sendNow();
  }

  get isHolding(): boolean {
    return this.#waiting.size > 0;
  }

  #forget(done: Done): void {
    const at = this.#done.indexOf(done);
    if (at >= 0) this.#done.splice(at, 1);
  }
}

/** Sends a request for each id, a few at a time. Resolves to those that failed. */
export async function sendAll(
  ids: readonly string[],
  send: (id: string) => Promise<unknown>,
): Promise<readonly Failure[]> {
  const failed: Failure[] = [];
  const left = [...ids];
  const work = async () => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      try {
        await send(id);
      } catch (error) {
        failed.push({ id, error });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return failed;
}
