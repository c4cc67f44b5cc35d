// The members of a small JSON body. Every fault is collected, so that one answer names all of them.

import type { FastifyRequest } from 'fastify';
import { type FieldViolation, invalidArgument } from '../../domain/errors.ts';
import { bodyOf } from '../http/body-reader.ts';

/** In bytes: far more than any of these bodies needs. */
export const SMALL_BODY = 65_536;

const LONGEST = 1_024;
const MOST_ITEMS = 100;

export class BodyFields {
  readonly #members: Readonly<Record<string, unknown>>;
  readonly #read = new Set<string>();
  readonly #faults: FieldViolation[] = [];

  /** @throws ServiceError `invalid_argument` for a body that is no JSON object. */
  constructor(request: FastifyRequest) {
    this.#members = membersOf(bodyOf(request));
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#members, name);
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
    for (const name of Object.keys(this.#members))
      if (!this.#read.has(name)) this.#fault(name.slice(0, 64), 'is not known');
    if (this.#faults.length > 0) throw invalidArgument(this.#faults.slice(0, MOST_ITEMS));
  }

  #take(name: string): unknown {
    this.#read.add(name);
    return this.has(name) ? this.#members[name] : undefined;
  }

  #fault(field: string, description: string): void {
    this.#faults.push({ field, description });
  }
}

function membersOf(body: Buffer): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(body.toString());
  } catch {
    throw invalidArgument([{ field: 'body', description: 'is not JSON' }], 'MALFORMED_JSON');
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw invalidArgument([{ field: 'body', description: 'must be a JSON object' }], 'MALFORMED_JSON');
}
