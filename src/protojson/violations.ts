// Collects the faults of a request, each with the path of its field (AIP-193, google.rpc.BadRequest).

import { type FieldViolation, invalidArgument } from '../domain/errors.ts';

/** Further faults are dropped, because an error must not grow with the request. */
const MAX_VIOLATIONS = 1_000;
/** The path repeats at most this much of a map key, which the caller chooses. */
const MAX_KEY_LENGTH = 64;

/** Descriptions from which the reader of a file derives the reason of a refusal. */
export const REQUIRED = 'is required';
export const EMPTY = 'must not be empty';
export const REPEATED = 'is given more than once';

/** A member name, an index in a list, or a key of a map. */
type Segment = string | number | { readonly key: string };

export class Violations {
  readonly #found: FieldViolation[] = [];
  readonly #path: Segment[] = [];

  /** Enters a field. The text of the path is made only when a fault is found. */
  enter(segment: Segment): void {
    this.#path.push(segment);
  }

  leave(): void {
    this.#path.pop();
  }

  /** Notes a fault of the field that was entered last, or of one of its members. */
  add(description: string, member?: string): void {
    if (this.#found.length === MAX_VIOLATIONS) return;
    const path = member === undefined ? this.#path : [...this.#path, member];
    // A violation must name a field, even if the whole body is at fault.
    this.#found.push({ field: path.length === 0 ? 'body' : pathText(path), description });
  }

  /** @throws ServiceError `invalid_argument` with all faults. */
  throwIfAny(): void {
    if (this.#found.length > 0) throw invalidArgument(this.#found);
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
