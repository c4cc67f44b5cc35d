// Collects the faults of a request, each with the path of its field (AIP-193, google.rpc.BadRequest).

import { type FieldViolation, invalidArgument, ServiceError } from '../domain/errors.ts';
import { nearestName } from '../domain/nearest-name.ts';

/** Further faults are dropped, because an error must not grow with the request. */
const MAX_VIOLATIONS = 1_000;
/** The path repeats at most this much of a map key, which the caller chooses. */
const MAX_KEY_LENGTH = 64;
/** Comparing names takes time, and the first suggestions show the mistake. */
const MAX_SUGGESTIONS = 100;

/** Descriptions from which the reader of a file derives the reason of a refusal. */
export const REQUIRED = 'is required';
export const EMPTY = 'must not be empty';
export const REPEATED = 'is given more than once';
/** Followed by a suggestion. */
export const UNKNOWN = 'is not a known member';

/** A member name, an index in a list, or a key of a map. */
type Segment = string | number | { readonly key: string };

const NAME = /^\w{1,64}$/;

export class Violations {
  readonly #found: FieldViolation[] = [];
  readonly #path: Segment[] = [];
  #suggestions = 0;

  /** Enters a field. The text of the path is made only when a fault is found. */
  enter(segment: Segment): void {
    this.#path.push(segment);
  }

  leave(): void {
    this.#path.pop();
  }

  /** Notes a fault of the field that was entered last, or of one of its members. */
  add(description: string, member?: Segment): void {
    if (this.#isFull) return;
    const path = member === undefined ? this.#path : [...this.#path, member];
    // A violation must name a field, even if the whole body is at fault.
    this.#found.push({ field: path.length === 0 ? 'body' : pathText(path), description });
  }

  /** Notes a member that the message does not have, and the nearest one that it has. */
  addUnknown(name: string, known: readonly string[]): void {
    if (!this.#isFull) this.addMember(UNKNOWN + this.suggestion(name, known), name);
  }

  /** The end of a description: the known name that is nearest to a text. Empty if none is near. */
  suggestion(text: string, known: readonly string[]): string {
    const nearest =
      !this.#isFull && this.#suggestions++ < MAX_SUGGESTIONS ? nearestName(text, known) : undefined;
    return nearest === undefined ? '' : `; the nearest is ${nearest}`;
  }

  /** Notes a fault of a member that the caller named, with any text. */
  addMember(description: string, name: string): void {
    this.add(description, NAME.test(name) ? name : { key: name });
  }

  /**
   * @param validate looks for further faults, and throws them. It is called only if there is one already, so that the
   *   error names all of them.
   * @throws ServiceError `invalid_argument` with all faults.
   */
  throwIfAny(validate: () => void = () => {}): void {
    if (this.#found.length === 0) return;
    try {
      validate();
    } catch (error) {
      if (!(error instanceof ServiceError && error.code === 'invalid_argument')) throw error;
      const named = new Set(this.#found.map(({ field }) => field));
      const further = (error.details.violations ?? []).filter(({ field }) => !named.has(field));
      this.#found.push(...further.slice(0, MAX_VIOLATIONS - this.#found.length));
    }
    throw invalidArgument(this.#found);
  }

  get #isFull(): boolean {
    return this.#found.length >= MAX_VIOLATIONS;
  }
}

/** The path as text: `events[3].evidence["modbus.unit"]`. */
function pathText(path: readonly Segment[]): string {
  let text = '';
  for (const segment of path) {
    if (typeof segment === 'number') text += `[${segment}]`;
    else if (typeof segment === 'object') text += `[${JSON.stringify(segment.key.slice(0, MAX_KEY_LENGTH))}]`;
    else text += text === '' ? segment : `.${segment}`;
  }
  return text;
}
