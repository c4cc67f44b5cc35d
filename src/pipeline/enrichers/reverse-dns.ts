// Reverse DNS: the name that the holder of an address gave it. Off unless configured, since each question tells the
// resolver, and the name servers of the address, that somebody is interested.
//
// The answer is written by the holder, who may be the attacker: only a plain host name is taken, and it goes into the
// member of its own, never into a summary.

import { Resolver } from 'node:dns/promises';
import { ServiceError } from '../../domain/errors.ts';
import type { Indicator } from '../../domain/indicator/indicator.ts';
import { publicAddressesOf } from '../../domain/indicator/indicator-address.ts';
import { type Clock, HOUR, MINUTE, SECOND } from '../../domain/instant.ts';
import type { Address } from '../../domain/observable/address.ts';
import { parseDomain } from '../../domain/observable/domain-name.ts';
import { compareText } from '../../domain/sorted-list.ts';
import type { Enricher, Finding } from '../enricher.ts';
import { within } from '../time-limit.ts';
import { atOnce } from './concurrency-limit.ts';
import { createExpiringCache } from './expiring-cache.ts';

export interface ReverseDnsOptions {
  /** Addresses, with a port if it is not 53; empty for the resolvers of the machine. */
  readonly servers: readonly string[];
  readonly clock: Clock;
  /** For one question, its repeat included. */
  readonly timeoutMs?: number;
}

const TIMEOUT = 2 * SECOND;
/** Questions under way: a burst of more is lost in the buffers of resolvers, and waits for its repeat. */
const QUESTION_LIMIT = 64;
const CACHE_LIMIT = 20_000;
/** Names of addresses change with their holders, which takes days. */
const KEEP_NAME = 6 * HOUR;
const KEEP_NONE = HOUR;
/** A zone whose servers are broken stays so for a while. */
const KEEP_FAILURE = 5 * MINUTE;
/** After so many questions in a row without an answer the resolver is left alone. */
const PATIENCE = 8;
const PAUSE = 30 * SECOND;

/** What the resolver says when there is no name. */
const NO_NAME: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);
/** What it says when it is there and could not find out. */
const NOT_ANSWERABLE: ReadonlySet<unknown> = new Set([
  'ESERVFAIL',
  'EREFUSED',
  'EFORMERR',
  'EBADRESP',
  'ENOTIMP',
]);
/** The markings whose values may be told to others. */
const SHAREABLE: ReadonlySet<Indicator['tlp']> = new Set(['CLEAR', 'GREEN']);

const LOCAL_NAMES_REFUSED = { acceptPrivateAddresses: false };

type Answer = { readonly name: string | undefined } | { readonly failure: string };

const PAUSED: Answer = { failure: 'the resolver has not answered for a while' };

export function reverseDns({ servers, clock, timeoutMs = TIMEOUT }: ReverseDnsOptions): Enricher {
  // The second try waits twice as long as the first: together they fill the limit.
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 3), tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  const answers = createExpiringCache<Answer>(CACHE_LIMIT, clock);
  const limited = atOnce(QUESTION_LIMIT);
  const asked = new Map<string, Promise<Answer>>();
  let unanswered = 0;
  let pausedUntil = 0;

  async function ask(question: string): Promise<Answer> {
    if (clock() < pausedUntil) return PAUSED;
    try {
      const names = await within(resolver.resolvePtr(question), timeoutMs);
      unanswered = 0;
      return keep(question, { name: hostNameOf(names) });
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (NO_NAME.has(code) || NOT_ANSWERABLE.has(code)) {
        unanswered = 0;
        return keep(
          question,
          NO_NAME.has(code) ? { name: undefined } : { failure: `the resolver answered ${code}` },
        );
      }
      unanswered++;
      if (unanswered >= PATIENCE) pausedUntil = clock() + PAUSE;
      return { failure: 'the resolver did not answer' };
    }
  }

  function keep(question: string, answer: Answer): Answer {
    let time = KEEP_FAILURE;
    if ('name' in answer) time = answer.name === undefined ? KEEP_NONE : KEEP_NAME;
    answers.set(question, answer, clock() + time);
    return answer;
  }

  /** Indicators of one address are often enriched at the same time: they share the question. */
  function askOnce(question: string): Promise<Answer> {
    let answer = asked.get(question);
    if (answer === undefined) {
      answer = limited(() => ask(question)).finally(() => asked.delete(question));
      asked.set(question, answer);
    }
    return answer;
  }

  return {
    name: 'reverse-dns',
    appliesTo: ({ record }) =>
      SHAREABLE.has(record.indicator.tlp) && questionOf(record.indicator) !== undefined,
    enrich: ({ record }) => {
      const question = questionOf(record.indicator);
      if (question === undefined) return {};
      const known = answers.get(question);
      if (known !== undefined) return findingOf(known);
      return askOnce(question).then(findingOf);
    },
  };
}

/** @throws ServiceError unavailable when nobody knows whether there is a name. */
function findingOf(answer: Answer): Finding {
  if ('failure' in answer) throw new ServiceError('unavailable', answer.failure, { reason: 'RESOLVER' });
  return answer.name === undefined ? {} : { reverseDns: answer.name };
}

/** The name to ask for (RFC 1035 §3.5, RFC 3596 §2.5); undefined for what is not one public address. */
function questionOf(indicator: Indicator): string | undefined {
  const range = publicAddressesOf(indicator);
  if (range === undefined || range.prefix < 8 * range.network.length) return undefined;
  return reverseName(range.network);
}

function reverseName(address: Address): string {
  if (address.length === 4) return `${address.toReversed().join('.')}.in-addr.arpa`;
  const digits = address.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${[...digits].reverse().join('.')}.ip6.arpa`;
}

/** Of several the first one that is a host name, in an order that does not depend on the name server. */
function hostNameOf(names: readonly string[]): string | undefined {
  const valid = names.map((name) => parseDomain(name, LOCAL_NAMES_REFUSED));
  return valid.filter((name) => typeof name === 'string').sort(compareText)[0];
}
