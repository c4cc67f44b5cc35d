// Collects every fault of a request together with the path of the field it is in (AIP-193, google.rpc.BadRequest).

import { type FieldViolation, invalidArgument } from '../domain/errors.ts';

/** More faults than this are counted as one body that is no use: an answer must not grow with the request. */
const MAX_VIOLATIONS = 1_000;
/** Map keys are the caller's own words; a path repeats no more of one than this. */
const MAX_KEY_LENGTH = 64;

/** Descriptions from which the reader of a file derives the reason of a refusal. */
export const REQUIRED = 'is required';
export const EMPTY = 'must not be empty';
export const REPEATED = 'is given more than once';

/** A member name, a place in a list, or a key of a map. */
type Segment = string | number | { readonly key: string };

export class Violations {
  readonly #found: FieldViolation[] = [];
  readonly #path: Segment[] = [];

  /** Goes one step down; the path is only put together when something is found there. */
  enter(segment: Segment): void {
    this.#path.push(segment);
  }

  leave(): void {
    this.#path.pop();
  }

  /** Notes a fault of the field that was entered last, or of a member of it. */
  add(description: string, member?: string): void {
    if (this.#found.length === MAX_VIOLATIONS) return;
    const path = member === undefined ? this.#path : [...this.#path, member];
    // Something must be named even where the whole body is at fault.
    this.#found.push({ field: path.length === 0 ? 'body' : pathText(path), description });
  }

  /** @throws ServiceError `invalid_argument` that names all of them. */
  throwIfAny(): void {
    if (this.#found.length > 0) throw invalidArgument(this.#found);
  }
}

/** `events[3].evidence["modbus.unit"]`. */
function pathText(path: readonly Segment[]): string {
  let text = '';
  for (const segment of path) {
    if (typeof segment === 'number') text += `[${segment}]`;
    else if (typeof segment === 'object') text += `[${JSON.stringify(segment.key.slice(0, MAX_KEY_LENGTH))}]`;
    else text += text === '' ? segment : `.${segment}`;
  }
  return text;
}
