// Reverse DNS: the host name of an address. It is off by default, because a query tells the resolver and the name
// servers of the address that somebody is interested in it.
//
// The holder of the address writes the name, and the holder may be the attacker. Only a plain host name is accepted. It
// goes into its own member and never into a summary.

import { Resolver } from 'node:dns/promises';
import { LRUCache } from 'lru-cache';
import { ServiceError } from '../../domain/errors.ts';
import type { Indicator } from '../../domain/indicator/indicator.ts';
import { publicAddressesOf } from '../../domain/indicator/indicator-address.ts';
import { type Clock, HOUR, MINUTE, SECOND } from '../../domain/instant.ts';
import type { Address } from '../../domain/observable/address.ts';
import { parseDomain } from '../../domain/observable/domain-name.ts';
import { compareText } from '../../domain/sorted-list.ts';
import { type Enricher, type Finding, within } from '../enricher.ts';
import { limitConcurrency } from './concurrency-limit.ts';

export interface ReverseDnsOptions {
  /** Addresses of resolvers, with a port if it is not 53. Empty: the resolvers of the machine. */
  readonly servers: readonly string[];
  readonly clock: Clock;
  /** For one query and its retry. */
  readonly timeoutMs?: number;
}

const TIMEOUT = 2 * SECOND;
/** Queries in flight. A larger burst overflows the buffers of resolvers. */
const QUERY_LIMIT = 64;
const CACHE_LIMIT = 20_000;
/** The name of an address changes with its holder, which takes days. */
const KEEP_NAME = 6 * HOUR;
const KEEP_NO_NAME = HOUR;
/** A zone with broken servers stays broken for a while. */
const KEEP_FAILURE = 5 * MINUTE;
/** After this many queries in a row without an answer, the resolver gets a pause. */
const UNANSWERED_LIMIT = 8;
const PAUSE = 30 * SECOND;

/** The resolver answered that there is no name. */
const NO_NAME: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);
/** The resolver answered that it cannot tell. */
const FAILURES: ReadonlySet<unknown> = new Set(['ESERVFAIL', 'EREFUSED', 'EFORMERR', 'EBADRESP', 'ENOTIMP']);
/** Markings that allow a query to disclose the value. */
const SHAREABLE: ReadonlySet<Indicator['tlp']> = new Set(['CLEAR', 'GREEN']);

const LOCAL_NAMES_REFUSED = { acceptPrivateAddresses: false };

type Answer = { readonly name: string | undefined } | { readonly failure: string };

export function reverseDns({ servers, clock, timeoutMs = TIMEOUT }: ReverseDnsOptions): Enricher {
  // The second try waits twice as long as the first, so both together take the whole time limit.
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 3), tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  const limited = limitConcurrency(QUERY_LIMIT);
  let unanswered = 0;
  let pausedUntil = 0;

  // Indicators of one address are often enriched together. They share one query.
  const answers = new LRUCache<string, Answer>({
    max: CACHE_LIMIT,
    ttl: KEEP_FAILURE,
    perf: { now: clock },
    ttlResolution: 0,
    ignoreFetchAbort: true,
    fetchMethod: async (name, _stale, { options }) => {
      const answer = await limited(() => query(name));
      if ('name' in answer) options.ttl = answer.name === undefined ? KEEP_NO_NAME : KEEP_NAME;
      return answer;
    },
  });

  /** @throws ServiceError unavailable if the resolver does not answer. The cache does not keep that. */
  async function query(name: string): Promise<Answer> {
    if (clock() < pausedUntil) throw unavailable('the resolver has not answered for a while');
    try {
      const names = await within(resolver.resolvePtr(name), timeoutMs);
      unanswered = 0;
      return { name: hostNameOf(names) };
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (NO_NAME.has(code) || FAILURES.has(code)) {
        unanswered = 0;
        return NO_NAME.has(code) ? { name: undefined } : { failure: `the resolver answered ${code}` };
      }
      unanswered++;
      if (unanswered >= UNANSWERED_LIMIT) pausedUntil = clock() + PAUSE;
      throw unavailable('the resolver did not answer');
    }
  }

  return {
    name: 'reverse-dns',
    mayWait: true,
    appliesTo: ({ record }) =>
      SHAREABLE.has(record.indicator.tlp) && queryName(record.indicator) !== undefined,
    enrich: ({ record }) => {
      const name = queryName(record.indicator);
      if (name === undefined) return {};
      const known = answers.get(name);
      return known === undefined ? answers.forceFetch(name).then(findingOf) : findingOf(known);
    },
  };
}

/** @throws ServiceError unavailable if it is unknown whether there is a name. */
function findingOf(answer: Answer): Finding {
  if ('failure' in answer) throw unavailable(answer.failure);
  return answer.name === undefined ? {} : { reverseDns: answer.name };
}

function unavailable(message: string): ServiceError {
  return new ServiceError('unavailable', message, { reason: 'RESOLVER' });
}

/** The name to query (RFC 1035 §3.5, RFC 3596 §2.5). Undefined if the indicator is not about one public address. */
function queryName(indicator: Indicator): string | undefined {
  const range = publicAddressesOf(indicator);
  if (range === undefined || range.prefix < 8 * range.network.length) return undefined;
  return reverseName(range.network);
}

function reverseName(address: Address): string {
  if (address.length === 4) return `${address.toReversed().join('.')}.in-addr.arpa`;
  const digits = address.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${[...digits].reverse().join('.')}.ip6.arpa`;
}

/** The first valid host name in alphabetical order, so that the order of the answer does not matter. */
function hostNameOf(names: readonly string[]): string | undefined {
  const valid = names.map((name) => parseDomain(name, LOCAL_NAMES_REFUSED));
  return valid.filter((name) => typeof name === 'string').sort(compareText)[0];
}
