// The objects of the model server: one of each of many types, and indicators, two of them in several versions.

export interface StoredObject {
  readonly object: Readonly<Record<string, unknown>>;
  /** Microseconds of §2, in the form of §2. */
  readonly dateAdded: string;
  readonly version: string;
}

const START = Date.UTC(2026, 0, 1);
const SECOND = 1_000;

/** A fixed UUID of version 4. */
function uuid(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;
}

export const MAIN_COLLECTION = uuid(0xc1);
export const INBOX_COLLECTION = uuid(0xc2);
export const CLOSED_COLLECTION = uuid(0xc3);

const IDENTITY = `identity--${uuid(1)}`;
const DEFINITION = `extension-definition--${uuid(2)}`;
const GREEN = 'marking-definition--bab4a63c-aed9-4cf5-a766-dfca5abac2bb';
const MALWARE = [0x40, 0x41, 0x42, 0x43].map((number) => `malware--${uuid(number)}`);

const at = (second: number) => new Date(START + second * SECOND).toISOString();

/** A domain, relationship or meta object with the common properties. */
function common(id: string, second: number, members: object): Readonly<Record<string, unknown>> {
  const type = id.replace(/--.*/, '');
  return { type, spec_version: '2.1', id, created: at(0), modified: at(second), ...members };
}

function indicator(number: number, second: number): Readonly<Record<string, unknown>> {
  const address = `198.51.100.${number}`;
  return common(`indicator--${uuid(0x100 + number)}`, second, {
    created_by_ref: IDENTITY,
    name: address,
    description: `Version of second ${second}`,
    indicator_types: ['malicious-activity'],
    pattern: `[ipv4-addr:value = '${address}']`,
    pattern_type: 'stix',
    valid_from: at(0),
    valid_until: at(86_400),
    confidence: 70,
    object_marking_refs: [GREEN],
    external_references: [{ source_name: 'example', external_id: String(number) }],
    extensions: { [DEFINITION]: { extension_type: 'property-extension', severity: 'high' } },
  });
}

/** In the order in which they were added, one a second. */
const OBJECTS: readonly Readonly<Record<string, unknown>>[] = [
  common(IDENTITY, 0, { name: 'Example', identity_class: 'organization' }),
  common(DEFINITION, 0, {
    created_by_ref: IDENTITY,
    name: 'Example',
    schema: 'https://example.org/schema.json',
    version: '1.0.0',
    extension_types: ['property-extension'],
  }),
  {
    type: 'marking-definition',
    spec_version: '2.1',
    id: GREEN,
    created: '2022-10-01T00:00:00.000Z',
    name: 'TLP:GREEN',
    extensions: {
      'extension-definition--60a3c5c5-0d10-413e-aab3-9e08dde9e88d': {
        extension_type: 'property-extension',
        tlp_2_0: 'green',
      },
    },
  },
  common(`location--${uuid(3)}`, 0, { country: 'NL' }),
  // A malware family after every few indicators.
  ...MALWARE.flatMap((id, tens) => [
    ...Array.from({ length: 8 }, (_, number) => indicator(tens * 8 + number, 0)),
    common(id, 0, { name: `Example ${tens}`, is_family: true }),
  ]),
  common(`relationship--${uuid(5)}`, 0, {
    relationship_type: 'indicates',
    source_ref: `indicator--${uuid(0x100)}`,
    target_ref: MALWARE[0],
  }),
  common(`sighting--${uuid(6)}`, 0, {
    sighting_of_ref: `indicator--${uuid(0x100)}`,
    first_seen: at(0),
    last_seen: at(10),
    count: 3,
  }),
  indicator(1, 60),
  indicator(2, 61),
  indicator(1, 62),
];

export const STORED: readonly StoredObject[] = OBJECTS.map((object, index) => ({
  object,
  dateAdded: at(100 + index).replace('Z', '000Z'),
  version: String(object.modified ?? object.created),
}));
