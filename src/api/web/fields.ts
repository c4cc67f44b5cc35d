// The members of a small JSON object. Every fault is collected, so that one answer names all of them.

import type { FastifyRequest } from 'fastify';
import { type FieldViolation, invalidArgument } from '../../domain/errors.ts';
import { bodyOf } from '../http/body-reader.ts';

/** In bytes: far more than any of these bodies needs. */
export const SMALL_BODY = 65_536;

const LONGEST = 1_024;
const MOST_ITEMS = 100;

export class Fields {
  readonly #members: ReadonlyMap<string, unknown>;
  readonly #read = new Set<string>();
  readonly #faults: FieldViolation[] = [];

  constructor(members: ReadonlyMap<string, unknown>) {
    this.#members = members;
  }

  has(name: string): boolean {
    return this.#members.has(name);
  }

  /** Empty if it has a fault. */
  text(name: string, longest = LONGEST): string {
    const value = this.#take(name);
    if (typeof value === 'string' && value !== '' && value.length <= longest) return value;
    this.#fault(name, `must be a text of 1 to ${longest} characters`);
    return '';
  }

  texts(name: string): string[] {
    const value = this.#take(name);
    if (Array.isArray(value) && value.length <= MOST_ITEMS && value.every((item) => typeof item === 'string'))
      return value;
    this.#fault(name, 'must be a list of texts');
    return [];
  }

  flag(name: string): boolean {
    const value = this.#take(name);
    if (typeof value !== 'boolean') this.#fault(name, 'must be true or false');
    return value === true;
  }

  /** For another form to judge. */
  any(name: string): unknown {
    return this.#take(name);
  }

  /** What `read` gives for a member that is there. */
  optional<Value>(name: string, read: (name: string) => Value): Value | undefined {
    return this.has(name) ? read(name) : undefined;
  }

  fault(field: string, description: string): void {
    this.#fault(field, description);
  }

  /** @throws ServiceError `invalid_argument` that names every fault, and members that nobody has read. */
  end(): void {
    for (const name of this.#members.keys())
      if (!this.#read.has(name)) this.#fault(name.slice(0, 64), 'is not known');
    if (this.#faults.length > 0) throw invalidArgument(this.#faults.slice(0, MOST_ITEMS));
  }

  #take(name: string): unknown {
    this.#read.add(name);
    return this.#members.get(name);
  }

  #fault(field: string, description: string): void {
    this.#faults.push({ field, description });
  }
}

/** @throws ServiceError `invalid_argument` for a body that is no JSON object. */
export function fieldsOf(request: FastifyRequest): Fields {
  let value: unknown;
  try {
    value = JSON.parse(bodyOf(request).toString());
  } catch {
    throw invalidArgument([{ field: 'body', description: 'is not JSON' }], 'MALFORMED_JSON');
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return new Fields(new Map(Object.entries(value)));
  throw invalidArgument([{ field: 'body', description: 'must be a JSON object' }], 'MALFORMED_JSON');
}
