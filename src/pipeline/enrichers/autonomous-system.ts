// The autonomous system of an address, from databases that the operator provides.

import type { AsnInfo } from '../../domain/indicator/indicator.ts';
import { publicAddressesOf } from '../../domain/indicator/indicator-address.ts';
import type { Enricher } from '../enricher.ts';
import { type AddressDatabase, firstAnswer, memberAt, numberAt, textAt } from './address-database.ts';

// The members of MaxMind, of DB-IP (below `traits`) and of ipinfo. ipinfo writes the number as `AS64496`.
const NUMBER = ['autonomous_system_number', 'traits.autonomous_system_number', 'asn'];
const ORGANIZATION = [
  'autonomous_system_organization',
  'traits.autonomous_system_organization',
  'as_name',
  'name',
  'org',
];

/** RFC 6793. Number 0 is reserved (RFC 7607); databases write it for addresses that are not routed. */
const HIGHEST = 2 ** 32 - 1;

/** @param databases in order of preference. */
export function autonomousSystem(databases: readonly AddressDatabase[]): Enricher {
  return {
    name: 'autonomous-system',
    appliesTo: ({ record }) => publicAddressesOf(record.indicator) !== undefined,
    enrich: ({ record }) => {
      const range = publicAddressesOf(record.indicator);
      const answer = range && firstAnswer(databases, range, readSystem);
      return answer === undefined ? {} : { asn: answer.value, datasets: [answer.dataset] };
    },
  };
}

/** Undefined if the record contains no number. */
export function readSystem(record: unknown): AsnInfo | undefined {
  if (record === undefined) return undefined;
  const number = numberAt(record, NUMBER, 1, HIGHEST) ?? prefixedNumber(memberAt(record, 'asn'));
  if (number === undefined || !Number.isInteger(number)) return undefined;
  return { number, organization: textAt(record, ORGANIZATION) ?? '' };
}

function prefixedNumber(member: unknown): number | undefined {
  const [, digits] = typeof member === 'string' ? (/^AS([1-9][0-9]{0,9})$/.exec(member) ?? []) : [];
  return digits !== undefined && Number(digits) <= HIGHEST ? Number(digits) : undefined;
}
