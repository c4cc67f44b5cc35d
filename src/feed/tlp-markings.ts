// The marking definitions of the Traffic Light Protocol 2.0, with the ids that OASIS fixed for everybody.

import type { TlpMarking } from '../domain/vocabulary.ts';

/** OASIS common object: the extension whose `tlp_2_0` property names the level. */
const TLP_EXTENSION = 'extension-definition--60a3c5c5-0d10-413e-aab3-9e08dde9e88d';

/** When OASIS created the five: part of the objects, so never the time of this installation. */
export const TLP_CREATED = Date.UTC(2022, 9, 1);

interface TlpDefinition {
  readonly tlp: TlpMarking;
  readonly id: string;
  readonly name: string;
  readonly level: string;
}

const DEFINITIONS: readonly TlpDefinition[] = [
  {
    tlp: 'CLEAR',
    id: 'marking-definition--94868c89-83c2-464b-929b-a1a8aa3c8487',
    name: 'TLP:CLEAR',
    level: 'clear',
  },
  {
    tlp: 'GREEN',
    id: 'marking-definition--bab4a63c-aed9-4cf5-a766-dfca5abac2bb',
    name: 'TLP:GREEN',
    level: 'green',
  },
  {
    tlp: 'AMBER',
    id: 'marking-definition--55d920b0-5e8b-4f79-9ee9-91f868d9b421',
    name: 'TLP:AMBER',
    level: 'amber',
  },
  {
    tlp: 'AMBER_STRICT',
    id: 'marking-definition--939a9414-2ddd-4d32-a0cd-375ea402b003',
    name: 'TLP:AMBER+STRICT',
    level: 'amber+strict',
  },
  {
    tlp: 'RED',
    id: 'marking-definition--e828b379-4e03-4974-9ac4-e53a884c97c1',
    name: 'TLP:RED',
    level: 'red',
  },
];

const REFS: ReadonlyMap<TlpMarking, readonly [string]> = new Map(
  DEFINITIONS.map(({ tlp, id }) => [tlp, [id]] as const),
);

/** `object_marking_refs` of an object with this marking; undefined for UNSPECIFIED, which marks nothing. */
export function markingRefs(tlp: TlpMarking): readonly [string] | undefined {
  return REFS.get(tlp);
}

/** The five marking definitions as STIX objects, from the least to the most restricted. They have no `modified`. */
export const TLP_MARKING_DEFINITIONS = DEFINITIONS.map(({ id, name, level }) => ({
  type: 'marking-definition',
  spec_version: '2.1',
  id,
  created: new Date(TLP_CREATED).toISOString(),
  name,
  extensions: { [TLP_EXTENSION]: { extension_type: 'property-extension', tlp_2_0: level } },
}));
