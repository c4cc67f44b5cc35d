// Flaws of the objects themselves. Those of one batch do not disturb each other.

import { type Flaw, items, OBJECTS, stix, without } from '../fault.ts';
import type { Fault } from '../model-server.ts';

export const stixFlaws: readonly (readonly Flaw[])[] = [
  [
    {
      name: 'an id is a name',
      fault: items(/\/(objects|manifest)\//, (one) =>
        String(one.id).startsWith('location--') ? { ...one, id: 'location--example' } : one,
      ),
      broken: [
        'stix: an id is the type, two hyphens and a UUID',
        'stix: domain and relationship objects have a UUID of version 4',
      ],
    },
    {
      name: 'spec_version is the type',
      fault: stix('malware', { spec_version: 'malware' }),
      broken: [
        'match[spec_version]: finds objects of that version of STIX',
        'stix: spec_version is a version of STIX',
      ],
    },
    {
      name: 'a malware does not say whether it is a family',
      fault: items(/\/objects\//, (one) => (one.type === 'malware' ? without('is_family')(one) : one)),
      broken: ['stix: what a type requires is there'],
    },
    {
      name: 'created has no milliseconds',
      fault: stix('malware', { created: '2026-01-01T00:00:00Z' }),
      broken: ['stix: created and modified are in UTC, with milliseconds'],
    },
    {
      name: 'modified is before created',
      fault: stix('malware', { modified: '2025-01-01T00:00:00.000Z' }),
      broken: ['stix: modified is not before created'],
    },
    {
      name: 'confidence is 101',
      fault: stix('malware', { confidence: 101 }),
      broken: ['stix: confidence is a whole number from 0 to 100'],
    },
    {
      name: 'a reference is a name',
      fault: stix('relationship', { target_ref: 'malware--Example' }),
      broken: ['stix: references are ids', 'stix: what an object refers to was added before it'],
    },
    {
      name: 'created_by_ref is a malware',
      fault: stix('malware', {
        created_by_ref: 'extension-definition--00000000-0000-4000-8000-000000000002',
      }),
      broken: ['stix: created_by_ref is an identity'],
    },
    {
      name: 'a marking is an identity',
      fault: stix('malware', {
        object_marking_refs: ['identity--00000000-0000-4000-8000-000000000001'],
      }),
      broken: ['stix: object_marking_refs are marking definitions'],
    },
    {
      name: 'a list is empty',
      fault: stix('malware', { aliases: [] }),
      broken: ['stix: no list is empty, and nothing is null'],
    },
    {
      name: 'a property has capitals',
      fault: stix('malware', { firstSeen: 'x' }),
      broken: ['stix: names of properties are lower case letters, digits and underscores'],
    },
    {
      name: 'an external reference says nothing',
      fault: stix('malware', { external_references: [{ source_name: 'x' }] }),
      broken: ['stix: an external reference has a source name and something more'],
    },
    {
      name: 'valid_until is valid_from',
      fault: stix('indicator', { valid_until: '2026-01-01T00:00:00.000Z' }),
      broken: ['writing: what was added can be read', 'stix: an indicator ends after it begins'],
    },
    {
      name: 'a location is nowhere',
      fault: stix('location', { country: undefined, name: 'x' }),
      broken: ['stix: a location has a region, a country, or latitude and longitude'],
    },
    {
      name: 'a sighting counts too far',
      fault: stix('sighting', { count: 1_000_000_000 }),
      broken: ['stix: a sighting counts from 0 to 999,999,999'],
    },
    {
      name: 'a sighting ends before it begins',
      fault: stix('sighting', { last_seen: '2025-01-01T00:00:00.000Z' }),
      broken: ['stix: a sighting does not end before it begins'],
    },
    {
      name: 'a marking has versions',
      fault: stix('marking-definition', { modified: '2026-01-01T00:00:00.000Z' }),
      broken: ['stix: a marking definition has no modified'],
    },
    {
      name: 'an object is never the same',
      fault: changing(),
      broken: [
        'transport: gzip, where it is used, holds the same',
        'paging: the same next gives the same page again',
        'stix: one version of an object always has the same content',
      ],
    },
  ],
  [
    {
      name: 'a pattern is an address',
      fault: stix('indicator', { pattern: '198.51.100.1' }),
      broken: ['writing: what was added can be read', 'stix: a pattern of type stix is in brackets'],
    },
    {
      name: 'an id is a hash',
      fault: items(/\/(objects|manifest)\//, (one) =>
        String(one.id).startsWith('location--') ? { ...one, id: String(one.id).replace('-4', '-5') } : one,
      ),
      broken: ['stix: domain and relationship objects have a UUID of version 4'],
    },
    {
      name: 'a reference leads forward',
      fault: stix('malware', { created_by_ref: 'identity--00000000-0000-4000-8000-00000000ffff' }),
      broken: ['stix: what an object refers to was added before it'],
    },
  ],
  [
    {
      name: 'an extension has no type',
      fault: stix('indicator', {
        extensions: { 'extension-definition--00000000-0000-4000-8000-000000000002': { severity: 'high' } },
      }),
      broken: [
        'writing: what was added can be read',
        'stix: extensions have the id of a definition, or of STIX itself, and say what they are',
      ],
    },
  ],
  [
    {
      name: 'an indicator has no description',
      fault: stix('indicator', { description: undefined }),
      broken: ['writing: what was added can be read', 'stix: an indicator has a name and a description'],
    },
  ],
  [
    {
      name: 'a property of our own stands alone',
      fault: stix('indicator', { x_severity: 'high' }),
      broken: ['writing: what was added can be read', 'stix: properties of our own are in an extension'],
    },
  ],
];

/** The object contains how often it was read. */
function changing(): Fault {
  let readings = 0;
  return items(OBJECTS, (one) => {
    readings += 1;
    return one.type === 'location' ? { ...one, description: `Read ${readings} times` } : one;
  });
}
