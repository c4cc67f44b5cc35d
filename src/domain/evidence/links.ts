// What an event names together with its own value, and what that means.
//
// The evidence of an event may name the peer that acted and the URL from which something came. Each of them is an
// observable, and becomes the other end of a link. Events of one session are linked too (session.ts).

import type { SensorEvent } from '../indicator/sensor-event.ts';
import { type Observable, parseObservable } from '../observable/observable.ts';
import type { ObservableOptions } from '../observable/refusal.ts';
import type { IndicatorType } from '../vocabulary.ts';
import { evidenceValue } from './evidence-key.ts';

/**
 * From the source to the target: an address downloaded a URL, a URL is hosted on an address or a domain, an address or a
 * URL dropped a file, an address contacted a host. `same-session` has no direction.
 */
export const LINK_KINDS = ['downloaded', 'hosted-on', 'dropped', 'contacted', 'same-session'] as const;
export type LinkKind = (typeof LINK_KINDS)[number];

/** Another observable that an event names. */
export interface NamedTogether {
  readonly kind: LinkKind;
  readonly other: Observable;
  /** Whether the other one is the source of the link. */
  readonly fromOther: boolean;
}

const FILES: ReadonlySet<IndicatorType> = new Set(['FILE_HASH_MD5', 'FILE_HASH_SHA1', 'FILE_HASH_SHA256']);
const HOSTS: ReadonlySet<IndicatorType> = new Set(['IPV4', 'IPV6', 'DOMAIN']);

/** @param own the value of the event. */
export function namedTogether(
  event: SensorEvent,
  own: Observable,
  options: ObservableOptions,
): readonly NamedTogether[] {
  const named: NamedTogether[] = [];
  const url = urlOf(event, options);
  if (url !== undefined && url.value !== own.value) {
    if (FILES.has(own.type)) named.push({ kind: 'dropped', other: url, fromOther: true });
    else if (HOSTS.has(own.type) && hostOf(url.value) === own.value)
      named.push({ kind: 'hosted-on', other: url, fromOther: true });
  }
  const peer = peerOf(event, options);
  if (peer !== undefined && peer.value !== own.value)
    named.push({ kind: kindByPeer(own.type), other: peer, fromOther: true });
  return named;
}

function kindByPeer(type: IndicatorType): LinkKind {
  if (type === 'URL') return 'downloaded';
  if (FILES.has(type)) return 'dropped';
  return HOSTS.has(type) ? 'contacted' : 'same-session';
}

function peerOf({ evidence }: SensorEvent, options: ObservableOptions): Observable | undefined {
  const text = evidenceValue(evidence, 'peer.address');
  if (text === undefined) return undefined;
  const parsed = parseObservable('UNSPECIFIED', text, options);
  return parsed.ok && (parsed.type === 'IPV4' || parsed.type === 'IPV6') ? parsed : undefined;
}

function urlOf({ evidence }: SensorEvent, options: ObservableOptions): Observable | undefined {
  const text =
    evidenceValue(evidence, 'file.download') ??
    evidenceValue(evidence, 'file.download_failed') ??
    evidenceValue(evidence, 'command.download');
  if (text?.includes('://') !== true) return undefined;
  const parsed = parseObservable('URL', text, options);
  return parsed.ok ? parsed : undefined;
}

function hostOf(url: string): string | undefined {
  const host = URL.parse(url)?.hostname;
  return host?.startsWith('[') === true ? host.slice(1, -1) : host;
}

/** A link as one of its ends keeps it: under a key of two characters, with the id of the other end in 22. */
export interface KeptLink {
  readonly kind: LinkKind;
  readonly otherId: string;
  readonly fromOther: boolean;
}

/** Of the kinds, in their order. */
const LETTERS = 'dhpcs';

export function linkEntry({ kind, otherId, fromOther }: KeptLink): { key: string; value: string } {
  const isFromOther = fromOther && kind !== 'same-session';
  return {
    key: (isFromOther ? '<' : '>') + LETTERS.charAt(LINK_KINDS.indexOf(kind)),
    value: Buffer.from(otherId.replaceAll('-', ''), 'hex').toString('base64url'),
  };
}

/** @param entry output of linkEntry. It is trusted. */
export function keptLink({ key, value }: { readonly key: string; readonly value: string }): KeptLink {
  const hex = Buffer.from(value, 'base64url').toString('hex');
  return {
    kind: LINK_KINDS[LETTERS.indexOf(key.charAt(1))] ?? 'same-session',
    otherId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    fromOther: key.startsWith('<'),
  };
}
