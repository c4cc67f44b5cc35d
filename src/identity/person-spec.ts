// What a person is made of, and what is wrong with it.

import { isAccount } from '../domain/account.ts';
import { type FieldViolation, invalidArgument } from '../domain/errors.ts';
import { ROLES, type Role } from '../domain/scope.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';

export interface PersonSpec {
  readonly login: string;
  /** Default: the login. */
  readonly name?: string;
  /** Default: that of whoever invites. */
  readonly account?: string;
  readonly roles: readonly string[];
  /** Default AMBER_STRICT, or that of whoever invites when it is lower. */
  readonly tlpCeiling?: TlpMarking;
}

/** What can be changed of a person. */
export interface PersonChange extends Partial<Omit<PersonSpec, 'login'>> {
  readonly disabled?: boolean;
}

const LOGIN = /^[a-z0-9](?:[a-z0-9._@+-]{0,98}[a-z0-9])?$/;
/** The audit log names the operator and keys like this. */
const TAKEN = /^(?:cli|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const MAX_NAME_LENGTH = 100;

/** Logins do not differ in case. */
export function canonicalLogin(text: string): string {
  return text.trim().toLowerCase();
}

/** @param text canonical. */
export function isLogin(text: string): boolean {
  return LOGIN.test(text) && !TAKEN.test(text);
}

/** @throws ServiceError `invalid_argument` that names every fault. */
export function requireSoundPerson(spec: PersonChange & Partial<Pick<PersonSpec, 'login'>>): void {
  const faults: FieldViolation[] = [];
  const must = (holds: boolean, field: string, description: string): void => {
    if (!holds) faults.push({ field, description });
  };
  const { login, name, account, roles, tlpCeiling } = spec;
  must(
    login === undefined || isLogin(login),
    'login',
    'must be 1 to 100 letters, digits and . _ @ + -, with a letter or digit at both ends, and no id',
  );
  must(
    name === undefined ||
      (name.length <= MAX_NAME_LENGTH && /^\S(?:.*\S)?$/u.test(name) && !/\p{C}/u.test(name)),
    'name',
    `must be 1 to ${MAX_NAME_LENGTH} printable characters, without white space at the ends`,
  );
  must(account === undefined || isAccount(account), 'account', 'must be 1 to 100 printable characters');
  must(roles === undefined || roles.length > 0, 'roles', 'must name one role at least');
  for (const [index, role] of (roles ?? []).entries())
    must(isRole(role), `roles[${index}]`, `must be one of ${ROLES.join(', ')}`);
  must(tlpCeiling !== 'UNSPECIFIED', 'tlpCeiling', 'must be a marking');
  if (faults.length > 0) throw invalidArgument(faults);
}

/** The known roles among these, in the order of ROLES. */
export function rolesAmong(names: readonly string[]): readonly Role[] {
  return ROLES.filter((role) => names.includes(role));
}

function isRole(name: string): name is Role {
  return ROLES.some((role) => role === name);
}
