// The network operator an address belongs to (its autonomous system), by databases that the operator brings.

import type { AsnInfo } from '../../domain/indicator/indicator.ts';
import { publicAddressesOf } from '../../domain/indicator/indicator-address.ts';
import type { Enricher } from '../enricher.ts';
import { type AddressDatabase, firstAnswer } from './address-database.ts';
import { memberAt, numberAt, textAt } from './database-record.ts';

// As MaxMind has it, DB-IP within `traits`, and ipinfo, where the number is written `AS64496`.
const NUMBER = ['autonomous_system_number', 'traits.autonomous_system_number', 'asn'];
const ORGANIZATION = [
  'autonomous_system_organization',
  'traits.autonomous_system_organization',
  'as_name',
  'name',
  'org',
];

/** RFC 6793; 0 is reserved (RFC 7607) and stands for addresses that are not routed. */
const HIGHEST = 2 ** 32 - 1;

/** @param databases asked in order, until one knows the address. */
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

/** Undefined when the record names no system. */
function readSystem(record: unknown): AsnInfo | undefined {
  if (record === undefined) return undefined;
  const number = numberAt(record, NUMBER, 1, HIGHEST) ?? prefixedNumber(memberAt(record, 'asn'));
  if (number === undefined || !Number.isInteger(number)) return undefined;
  return { number, organization: textAt(record, ORGANIZATION) ?? '' };
}

function prefixedNumber(member: unknown): number | undefined {
  const [, digits] = typeof member === 'string' ? (/^AS([1-9][0-9]{0,9})$/.exec(member) ?? []) : [];
  return digits !== undefined && Number(digits) <= HIGHEST ? Number(digits) : undefined;
}
