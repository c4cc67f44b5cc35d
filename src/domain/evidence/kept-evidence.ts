// The evidence that is kept with an indicator: what its reports say was seen, and what they name together with it.
//
// Each marking of reports has evidence of its own, made from the reports with exactly this marking. A reader gets what
// the markings up to his ceiling have together, so nothing above it can show, count or push out anything.

import { hash } from 'node:crypto';
import type { Observation } from '../indicator/sensor-event.ts';
import { type KeptLink, linkEntry } from './links.ts';
import {
  combined,
  counted,
  EMPTY_TALLY,
  type Occurrence,
  type Tally,
  type TallyItem,
  within,
} from './tally.ts';

export interface KeptEvidence {
  readonly seen: Tally;
  /** What is linked with the indicator, as linkEntry writes it. */
  readonly links: Tally;
}

/** Of one marking of one indicator, in the stored form. */
export const EVIDENCE_BYTES = 8_192;
export const LINK_BYTES = 4_096;
/** What the stored form has besides the items. */
const HEAD_BYTES = 64;

export const NO_EVIDENCE: KeptEvidence = { seen: EMPTY_TALLY, links: EMPTY_TALLY };

/** The evidence with what a report says was seen. */
export function withSeen(known: KeptEvidence, observation: Observation): KeptEvidence {
  const seen = counted(known.seen, observation.seen, occurrenceOf(observation), EVIDENCE_BYTES - HEAD_BYTES);
  return seen === known.seen ? known : { ...known, seen };
}

/** The evidence with a link that a report shows. A session counts once, whatever its events count. */
export function withLink(known: KeptEvidence, link: KeptLink, observation: Observation): KeptEvidence {
  const occurrence = occurrenceOf(observation);
  const count = link.kind === 'same-session' ? 1n : occurrence.count;
  const limit = LINK_BYTES - HEAD_BYTES;
  return { ...known, links: counted(known.links, [linkEntry(link)], { ...occurrence, count }, limit) };
}

export function bytesOfEvidence({ seen, links }: KeptEvidence): number {
  return seen.bytes + links.bytes;
}

/** A report as an occurrence. Shares go by the credential, as those of tags do. */
function occurrenceOf({ group, credential = group, observedAt, count }: Observation): Occurrence {
  return { owner: hash('sha256', credential, 'base64url').slice(0, OWNER_LENGTH), at: observedAt, count };
}

/** Long enough that reporters of one indicator do not meet by chance. */
const OWNER_LENGTH = 6;

/** What a reader sees of all markings up to his ceiling. */
export function evidenceOf(kept: readonly KeptEvidence[]): KeptEvidence {
  return {
    seen: within(combined(kept.map(({ seen }) => seen)), EVIDENCE_BYTES),
    links: linksOf(kept),
  };
}

/** The links that a reader may see, as far as they are kept. He may not know the other end. */
export function linksOf(kept: readonly KeptEvidence[]): Tally {
  return combined(kept.map(({ links }) => links));
}

/** The evidence of an indicator whose reports get one marking. */
export function underOneMarking(kept: readonly KeptEvidence[]): KeptEvidence {
  const { seen, links } = evidenceOf(kept);
  return { seen: within(seen, EVIDENCE_BYTES - HEAD_BYTES), links: within(links, LINK_BYTES - HEAD_BYTES) };
}

/** The values under one key, the most frequent first, then the newest. */
export interface SeenValues {
  readonly key: string;
  readonly values: readonly TallyItem[];
}

export function seenValues({ items }: Tally): readonly SeenValues[] {
  const groups = Map.groupBy(items.values(), ({ key }) => key);
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, values]) => ({
      key,
      values: values.toSorted((a, b) => b.count - a.count || b.last - a.last || (a.value < b.value ? -1 : 1)),
    }));
}
