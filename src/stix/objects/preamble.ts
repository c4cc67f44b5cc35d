// The first objects of every feed: what all indicators refer to, so that references always point backwards.

import { type Instant, toRfc3339 } from '../../domain/instant.ts';
import type { FeedAppend, Installation } from '../../store/stores.ts';
import { EXTENSION_SCHEMA } from './extension-schema.ts';
import { stixContext } from './stix-ids.ts';
import { TLP_CREATED, TLP_MARKING_DEFINITIONS } from './tlp-markings.ts';

/**
 * Identity of the service, definition of our extension, and the five TLP markings, in the order to append them in.
 *
 * The feed keeps the first object that it was given for one (id, version). Whoever changes the identity or the
 * extension-definition must therefore give it a `modified` later than `created`, or existing feeds keep the old one.
 */
export function preamble(installation: Installation): readonly FeedAppend[] {
  const { secret, createdAt } = installation;
  const { identityId, extensionId } = stixContext(secret);
  const created = toRfc3339(createdAt);
  const identity = {
    type: 'identity',
    spec_version: '2.1',
    id: identityId,
    created,
    modified: created,
    name: 'Threat Indicator Service',
    description: 'Collects, scores and enriches indicators seen by industrial-control and network sensors.',
    identity_class: 'system',
  };
  const extensionDefinition = {
    type: 'extension-definition',
    spec_version: '2.1',
    id: extensionId,
    created_by_ref: identityId,
    created,
    modified: created,
    name: 'Threat indicator',
    description: 'Severity, pipeline state, sources and enrichment of an indicator.',
    // STIX 2.1 §7.3: "either as a URL or as text", and the text may be a JSON schema.
    schema: JSON.stringify(EXTENSION_SCHEMA),
    version: '1.0.0',
    extension_types: ['property-extension'],
  };
  return [
    append(identity, createdAt),
    append(extensionDefinition, createdAt),
    ...TLP_MARKING_DEFINITIONS.map((definition) => append(definition, TLP_CREATED)),
  ];
}

/** Everybody may see these: without them nothing else can be understood. */
function append(object: { id: string; type: string }, modified: Instant): FeedAppend {
  const { id, type } = object;
  return {
    id,
    type,
    version: toRfc3339(modified),
    modified,
    tlp: 'CLEAR',
    object: JSON.stringify(object),
    collections: 'every',
  };
}
