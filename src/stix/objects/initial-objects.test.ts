// The first objects of every feed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVERYBODY } from '../../domain/audience.ts';
import { initialObjects } from './initial-objects.ts';
import { stixContext } from './stix-object.ts';

const INSTALLATION = { secret: Buffer.alloc(32, 1), createdAt: Date.UTC(2026, 0, 1, 0, 0, 0, 5) };
const CREATED = '2026-01-01T00:00:00.005Z';

interface InitialObject {
  readonly type: string;
  readonly id: string;
  readonly name: string;
  readonly created: string;
  readonly modified?: string;
  readonly created_by_ref?: string;
  readonly schema?: string;
  readonly extension_types?: readonly string[];
  readonly extensions?: Readonly<Record<string, { readonly tlp_2_0: string }>>;
}

function objects(): InitialObject[] {
  return initialObjects(INSTALLATION).map(({ object }) => JSON.parse(object));
}

test('references point backwards', () => {
  const seen = new Set<string>();
  for (const object of objects()) {
    if (object.created_by_ref !== undefined) assert.ok(seen.has(object.created_by_ref));
    seen.add(object.id);
  }
  const { identityId, extensionId } = stixContext(INSTALLATION.secret);
  assert.ok(seen.has(identityId) && seen.has(extensionId));
});

test('entries are for everybody and say what their objects say', () => {
  for (const { id, type, version, modified, audience, object } of initialObjects(INSTALLATION)) {
    const parsed = JSON.parse(object);
    assert.equal(audience, EVERYBODY);
    assert.deepEqual([id, type, version], [parsed.id, parsed.type, parsed.modified ?? parsed.created]);
    assert.equal(modified, Date.parse(version));
  }
});

test('the identity and the extension are created with the installation', () => {
  const [identity, extension] = objects();
  assert.deepEqual([identity?.type, identity?.created, identity?.modified], ['identity', CREATED, CREATED]);
  assert.deepEqual([extension?.created, extension?.modified], [CREATED, CREATED]);
  assert.deepEqual(extension?.extension_types, ['property-extension']);
  assert.equal(JSON.parse(extension?.schema ?? '').type, 'object');
});

test('the TLP markings are the ones OASIS published', () => {
  assert.deepEqual(
    objects()
      .slice(2)
      .map(({ id, name, created, extensions }) => [
        id,
        name,
        created,
        Object.values(extensions ?? {})[0]?.tlp_2_0,
      ]),
    [
      ['94868c89-83c2-464b-929b-a1a8aa3c8487', 'TLP:CLEAR', 'clear'],
      ['bab4a63c-aed9-4cf5-a766-dfca5abac2bb', 'TLP:GREEN', 'green'],
      ['55d920b0-5e8b-4f79-9ee9-91f868d9b421', 'TLP:AMBER', 'amber'],
      ['939a9414-2ddd-4d32-a0cd-375ea402b003', 'TLP:AMBER+STRICT', 'amber+strict'],
      ['e828b379-4e03-4974-9ac4-e53a884c97c1', 'TLP:RED', 'red'],
    ].map(([uuid, name, level]) => [`marking-definition--${uuid}`, name, '2022-10-01T00:00:00.000Z', level]),
  );
});

test('another installation is another identity', () => {
  const other = stixContext(Buffer.alloc(32, 2));
  assert.notEqual(other.identityId, stixContext(INSTALLATION.secret).identityId);
});
