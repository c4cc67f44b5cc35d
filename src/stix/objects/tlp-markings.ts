// The marking definitions of the Traffic Light Protocol 2.0, with the ids that OASIS assigned.

import type { TlpMarking } from '../../domain/vocabulary.ts';

/** An OASIS common object: the extension whose `tlp_2_0` property names the level. */
const TLP_EXTENSION = 'extension-definition--60a3c5c5-0d10-413e-aab3-9e08dde9e88d';

/** When OASIS created the five objects. The time is part of them. */
export const TLP_CREATED = Date.UTC(2022, 9, 1);

interface TlpDefinition {
  readonly tlp: TlpMarking;
  readonly id: string;
  readonly name: string;
  readonly level: string;
  /** The marking of TLP 1 that STIX itself defines (§7.2.1.4); AMBER+STRICT has none. */
  readonly tlp1?: string;
}

const DEFINITIONS: readonly TlpDefinition[] = [
  {
    tlp: 'CLEAR',
    id: 'marking-definition--94868c89-83c2-464b-929b-a1a8aa3c8487',
    name: 'TLP:CLEAR',
    level: 'clear',
    tlp1: 'marking-definition--613f2e26-407d-48c7-9eca-b8e91df99dc9',
  },
  {
    tlp: 'GREEN',
    id: 'marking-definition--bab4a63c-aed9-4cf5-a766-dfca5abac2bb',
    name: 'TLP:GREEN',
    level: 'green',
    tlp1: 'marking-definition--34098fce-860f-48ae-8e50-ebd3cc5e41da',
  },
  {
    tlp: 'AMBER',
    id: 'marking-definition--55d920b0-5e8b-4f79-9ee9-91f868d9b421',
    name: 'TLP:AMBER',
    level: 'amber',
    tlp1: 'marking-definition--f88d31f6-486f-44da-b317-01333bde0b82',
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
    tlp1: 'marking-definition--5e57c739-391a-4eb3-b6be-7d15ca92d5ed',
  },
];

/** The `object_marking_refs` of a marking; undefined for UNSPECIFIED. */
export type MarkingRefs = (tlp: TlpMarking) => readonly string[] | undefined;

/**
 * @param withTlp1 whether the marking of TLP 1 is named too, for clients that know no other. The level is the same, so
 *   that clients which know both read no more out of the two.
 */
export function markingRefs(withTlp1: boolean): MarkingRefs {
  const refs = new Map(
    DEFINITIONS.map(({ tlp, id, tlp1 }) => [tlp, withTlp1 && tlp1 !== undefined ? [id, tlp1] : [id]]),
  );
  return (tlp) => refs.get(tlp);
}

const MARKINGS: ReadonlyMap<string, TlpMarking> = new Map(
  DEFINITIONS.flatMap(({ tlp, id, tlp1 }) => [
    [id, tlp] as const,
    ...(tlp1 === undefined ? [] : [[tlp1, tlp] as const]),
  ]),
);

/** The marking of a marking definition of TLP 2 or TLP 1; undefined for any other id. */
export function markingOf(id: string): TlpMarking | undefined {
  return MARKINGS.get(id);
}

/** The five marking definitions as STIX objects, from least to most restricted. They have no `modified`. */
export const TLP_MARKING_DEFINITIONS = DEFINITIONS.map(({ id, name, level }) => ({
  type: 'marking-definition',
  spec_version: '2.1',
  id,
  created: new Date(TLP_CREATED).toISOString(),
  name,
  extensions: { [TLP_EXTENSION]: { extension_type: 'property-extension', tlp_2_0: level } },
}));
