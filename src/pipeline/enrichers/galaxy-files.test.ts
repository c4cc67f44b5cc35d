import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { ServiceError } from '../../domain/errors.ts';
import { readGalaxies } from './galaxy-files.ts';

const ROOT = mkdtempSync(join(tmpdir(), 'galaxies-'));
after(() => rmSync(ROOT, { recursive: true, force: true }));

function write(path: string, content: unknown): string {
  const file = join(ROOT, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const BOTNETS = {
  type: 'botnet',
  version: 1,
  values: [{ value: 'Mirai', meta: { synonyms: ['Katana'] } }, { value: 'Gh0st\u0007 - S0032' }],
};
const MIRAI = { name: 'Mirai', synonyms: ['Katana'] };
const GHOST = { name: 'Gh0st', synonyms: [] };

test('a file gives its families, with the ids of ATT&CK taken off their names', async () => {
  assert.deepEqual(await readGalaxies([write('botnet.json', BOTNETS)]), [MIRAI, GHOST]);
});

test('a folder or a checkout gives those of its files that are of malware', async () => {
  write('many/b.json', BOTNETS);
  write('many/a.json', { type: 'rat', values: [{ value: 'Remcos', meta: {} }] });
  write('many/actors.json', { type: 'threat-actor', values: [{ value: 'Sandworm' }] });
  write('many/README.md', 'nothing');
  write('checkout/clusters/b.json', BOTNETS);
  write('checkout/schema.json', '{}');
  assert.deepEqual(await readGalaxies([join(ROOT, 'many'), join(ROOT, 'checkout')]), [
    { name: 'Remcos', synonyms: [] },
    MIRAI,
    GHOST,
    MIRAI,
    GHOST,
  ]);
});

test('what is not a galaxy of malware is refused by the name of its file', async () => {
  const files: Readonly<Record<string, readonly [unknown, RegExp]>> = {
    'no-json': ['{', / is not JSON$/],
    list: [[], / is not a galaxy$/],
    'no-values': [{ type: 'rat' }, / is not a galaxy$/],
    'no-type': [{ values: [] }, / is not a galaxy$/],
    actors: [{ type: 'threat-actor', values: [] }, / has a `type` that is none of android, .*ransomware/],
    'no-name': [
      { type: 'rat', values: [{ value: 'X' }, {}] },
      / has no name or bad synonyms at values\[1\]$/,
    ],
    blank: [{ type: 'rat', values: [{ value: ' \n' }] }, / at values\[0\]$/],
    synonyms: [{ type: 'rat', values: [{ value: 'X', meta: { synonyms: 'Y' } }] }, / at values\[0\]$/],
  };
  for (const [name, [content, fault]] of Object.entries(files)) {
    const path = write(`bad/${name}.json`, content);
    await assert.rejects(readGalaxies([path]), (error) => {
      assert.ok(error instanceof ServiceError, name);
      assert.ok(error.message.startsWith(path), error.message);
      assert.match(error.message, fault);
      return true;
    });
  }
  write('empty/actors.json', { type: 'threat-actor', values: [] });
  await assert.rejects(readGalaxies([join(ROOT, 'empty')]), /has no galaxy of malware in it/);
  await assert.rejects(readGalaxies([join(ROOT, 'missing')]), /does not exist/);
});
