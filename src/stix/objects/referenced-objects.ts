// Objects that many indicators refer to: sources, malware families, techniques, countries.
//
// There is one of each for every marking that refers to it, and it never changes. So whoever sees a reference sees what
// it leads to, nobody learns of a source that only more restricted indicators name, and as no later version moves it,
// references point backwards in every walk (docs/decisions/0014-one-shared-object-per-marking.md).

import { LRUCache } from 'lru-cache';
import { attackTechnique } from '../../domain/evidence/attack-technique.ts';
import type { TlpMarking } from '../../domain/vocabulary.ts';
import type { FeedAppend } from '../../store/stores.ts';
import { type RenderContext, stixEntry, stixId } from './stix-object.ts';

export interface ReferencedObjects {
  /** A source is known by id and name together: under another name it is another object. */
  source(id: string, name: string, tlp: TlpMarking): FeedAppend;
  malware(family: string, tlp: TlpMarking): FeedAppend;
  attackPattern(techniqueId: string, tlp: TlpMarking): FeedAppend;
  /** @param code ISO 3166-1 alpha-2. */
  country(code: string, tlp: TlpMarking): FeedAppend;
}

/** Rendered objects kept; an installation has hundreds of them. */
const CACHE_LIMIT = 10_000;

const countryNames = new Intl.DisplayNames('en', { type: 'region' });

/** Each object is a pure function of what it is about, so that it is rendered once and every node renders the same. */
export function referencedObjects(context: RenderContext): ReferencedObjects {
  const rendered = new LRUCache<string, FeedAppend>({ max: CACHE_LIMIT });

  /** @param key what tells objects of this type apart. */
  function shared(type: string, key: string, tlp: TlpMarking, members: () => object): FeedAppend {
    const known = `${type}/${tlp}/${key}`;
    let entry = rendered.get(known);
    if (entry === undefined) {
      const id = stixId(context.secret, type, `${tlp}/${key}`);
      const { createdAt } = context;
      entry = {
        ...stixEntry(context, { type, id, createdAt, modified: createdAt, tlp }, members()),
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
        // Without a URL: a validator wants hashes with it.
        external_references: [{ source_name: 'mitre-attack', external_id: techniqueId }],
      })),
    country: (code, tlp) =>
      shared('location', code, tlp, () => ({ name: countryNames.of(code) ?? code, country: code })),
  };
}
