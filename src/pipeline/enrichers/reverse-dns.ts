// Reverse DNS: the host name of an address. It is off by default, because a query tells the resolver and the name
// servers of the address that somebody is interested in it.
//
// The holder of the address writes the name, and the holder may be the attacker. Only a plain host name is accepted. It
// goes into its own member and never into a summary. A name below a domain of a research scanner is looked up as well: it
// counts if it leads back to the address, which only the owner of the domain can arrange. No other name is looked up, so
// no attacker can choose what is asked.

import { Resolver } from 'node:dns/promises';
import { LRUCache } from 'lru-cache';
import { ServiceError } from '../../domain/errors.ts';
import type { Indicator } from '../../domain/indicator/indicator.ts';
import { publicAddressesOf } from '../../domain/indicator/indicator-address.ts';
import { type Clock, HOUR, MINUTE, SECOND } from '../../domain/instant.ts';
import { type Address, formatAddress, parseAddress } from '../../domain/observable/address.ts';
import { parseDomain } from '../../domain/observable/domain-name.ts';
import { compareText } from '../../domain/sorted-list.ts';
import { scannerOfName } from '../../domain/warning-list/research-scanners.ts';
import { type Enricher, type Finding, type Signal, within } from '../enricher.ts';
import { limitConcurrency } from './concurrency-limit.ts';
import { scannerFinding } from './scanner-effect.ts';

export interface ReverseDnsOptions {
  /** Addresses of resolvers, with a port if it is not 53. Empty: the resolvers of the machine. */
  readonly servers: readonly string[];
  readonly clock: Clock;
  /** For all queries about one address. */
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

/** Names of scanners that are looked up for one address. An address may have very many names. */
const CANDIDATE_LIMIT = 2;

interface Names {
  readonly name: string | undefined;
  /** A name of a research scanner that leads back to the address. */
  readonly confirmed?: string;
}
type Answer = Names | { readonly failure: string };

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
    fetchMethod: async (address, _stale, { options }) => {
      const answer = await limited(() => query(address));
      if ('name' in answer) options.ttl = answer.name === undefined ? KEEP_NO_NAME : KEEP_NAME;
      return answer;
    },
  });

  /** @throws ServiceError unavailable if the resolver does not answer. The cache does not keep that. */
  async function query(address: string): Promise<Answer> {
    if (clock() < pausedUntil) throw unavailable('the resolver has not answered for a while');
    try {
      const names = await within(namesOf(address), timeoutMs);
      unanswered = 0;
      return names;
    } catch (error) {
      const code = codeOf(error);
      if (NO_NAME.has(code) || FAILURES.has(code)) {
        unanswered = 0;
        return NO_NAME.has(code) ? { name: undefined } : { failure: `the resolver answered ${code}` };
      }
      unanswered++;
      if (unanswered >= UNANSWERED_LIMIT) pausedUntil = clock() + PAUSE;
      throw unavailable('the resolver did not answer');
    }
  }

  async function namesOf(text: string): Promise<Names> {
    const address = parseAddress(text) ?? [];
    const names = hostNames(await resolver.resolvePtr(reverseName(address)));
    const candidates = names.filter((name) => scannerOfName(name) !== undefined).slice(0, CANDIDATE_LIMIT);
    for (const name of candidates) {
      if (await leadsBack(name, text, address.length)) return { name, confirmed: name };
    }
    return { name: names[0] };
  }

  async function leadsBack(name: string, address: string, bytes: number): Promise<boolean> {
    try {
      const found = await (bytes === 4 ? resolver.resolve4(name) : resolver.resolve6(name));
      return found.some((one) => formatted(one) === address);
    } catch (error) {
      if (NO_NAME.has(codeOf(error))) return false;
      throw error;
    }
  }

  return {
    name: 'reverse-dns',
    mayWait: true,
    appliesTo: ({ record }) =>
      SHAREABLE.has(record.indicator.tlp) && publicAddressOf(record.indicator) !== undefined,
    enrich: (signal) => {
      const address = publicAddressOf(signal.record.indicator);
      if (address === undefined) return {};
      const known = answers.get(address);
      return known === undefined
        ? answers.forceFetch(address).then((answer) => findingOf(answer, signal))
        : findingOf(known, signal);
    },
  };
}

/** @throws ServiceError unavailable if it is unknown whether there is a name. */
function findingOf(answer: Answer, signal: Signal): Finding {
  if ('failure' in answer) throw unavailable(answer.failure);
  const { name, confirmed } = answer;
  if (name === undefined) return {};
  const scanner = confirmed === undefined ? undefined : scannerOfName(confirmed);
  // A URL on the address of a scanner is not what scans.
  if (confirmed === undefined || scanner === undefined || signal.record.indicator.type === 'URL')
    return { reverseDns: name };
  return {
    reverseDns: name,
    ...scannerFinding({ name: scanner, by: 'reverse-name', entry: confirmed }, signal),
  };
}

function unavailable(message: string): ServiceError {
  return new ServiceError('unavailable', message, { reason: 'RESOLVER' });
}

/** The address in canonical form. Undefined if the indicator is not about one public address. */
function publicAddressOf(indicator: Indicator): string | undefined {
  const range = publicAddressesOf(indicator);
  if (range === undefined || range.prefix < 8 * range.network.length) return undefined;
  return formatAddress(range.network);
}

function formatted(text: string): string | undefined {
  const address = parseAddress(text);
  return address === undefined ? undefined : formatAddress(address);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** The name to query (RFC 1035 §3.5, RFC 3596 §2.5). */
/** The name to query (RFC 1035 §3.5, RFC 3596 §2.5). */
export function reverseName(address: Address): string {
  if (address.length === 4) return `${address.toReversed().join('.')}.in-addr.arpa`;
  const digits = address.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${[...digits].reverse().join('.')}.ip6.arpa`;
}

/** The valid host names in alphabetical order, so that the order of the answer does not matter. */
function hostNames(names: readonly string[]): readonly string[] {
  const valid = names.map((name) => parseDomain(name, LOCAL_NAMES_REFUSED));
  return valid.filter((name) => typeof name === 'string').sort(compareText);
}
