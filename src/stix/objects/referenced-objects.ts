// The objects to which many indicators refer: sources, malware families, techniques, countries.
//
// Each exists once for every marking and never changes (docs/decisions/0014-one-shared-object-per-marking.md). A reader
// who sees a reference therefore also sees its target, and never learns of a source that only more restricted
// indicators name. No later version moves the target, so references always point backwards.

import { LRUCache } from 'lru-cache';
import { readersOf } from '../../domain/audience.ts';
import { attackTechnique } from '../../domain/evidence/attack-technique.ts';
import type { TlpMarking } from '../../domain/vocabulary.ts';
import type { FeedAppend } from '../../store/feed.ts';
import { type RenderContext, stixEntry, stixId } from './stix-object.ts';

export interface ReferencedObjects {
  /** Id and name identify a source. With another name it is another object. */
  source(id: string, name: string, tlp: TlpMarking): FeedAppend;
  malware(family: string, tlp: TlpMarking): FeedAppend;
  attackPattern(techniqueId: string, tlp: TlpMarking): FeedAppend;
  /** @param code ISO 3166-1 alpha-2. */
  country(code: string, tlp: TlpMarking): FeedAppend;
}

/** Cached objects. An installation has hundreds of them. */
const CACHE_LIMIT = 10_000;

const countryNames = new Intl.DisplayNames('en', { type: 'region' });

/** Each object is a pure function of its key and marking, so it is rendered once, and equal on every node. */
export function referencedObjects(context: RenderContext): ReferencedObjects {
  const rendered = new LRUCache<string, FeedAppend>({ max: CACHE_LIMIT });

  /** @param key identifies the object among those of its type. */
  function shared(type: string, key: string, tlp: TlpMarking, members: () => object): FeedAppend {
    const known = `${type}/${tlp}/${key}`;
    let entry = rendered.get(known);
    if (entry === undefined) {
      const id = stixId(context.secret, type, `${tlp}/${key}`);
      const { createdAt } = context;
      entry = {
        ...stixEntry(
          context,
          { type, id, createdAt, modified: createdAt, tlp, audience: readersOf(tlp) },
          members(),
        ),
        collections: 'every',
      };
      rendered.set(known, entry);
    }
    return entry;
  }

  return {
    source: (id, name, tlp) =>
      shared('identity', JSON.stringify([id, name]), tlp, () => ({
        name: name || id,
        identity_class: 'system',
      })),
    malware: (family, tlp) => shared('malware', family, tlp, () => ({ name: family, is_family: true })),
    attackPattern: (techniqueId, tlp) =>
      shared('attack-pattern', techniqueId, tlp, () => ({
        name: attackTechnique(techniqueId)?.name ?? techniqueId,
        // No URL: the validator requires hashes with a URL.
        external_references: [{ source_name: 'mitre-attack', external_id: techniqueId }],
      })),
    country: (code, tlp) =>
      shared('location', code, tlp, () => ({ name: countryNames.of(code) ?? code, country: code })),
  };
}
