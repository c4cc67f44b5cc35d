// The command line: the meaning of each option, and refused values.

import assert from 'node:assert/strict';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readCommandLine, UsageError } from '../src/options.ts';

const URL_WORDS = ['--url', 'https://taxii.example.org/taxii2/'];

function optionsOf(...words: readonly string[]) {
  const line = readCommandLine([...URL_WORDS, ...words]);
  assert.ok(line !== 'help');
  return line.options;
}

test('the credentials', () => {
  assert.deepEqual(optionsOf().credential, {});
  assert.deepEqual(optionsOf('--key', 'k').credential, { authorization: 'Bearer k' });
  assert.deepEqual(optionsOf('--token', 'k').credential, { authorization: 'Token k' });
  assert.deepEqual(optionsOf('--basic', 'u:p').credential, { authorization: 'Basic dTpw' });
  assert.deepEqual(optionsOf('--header', 'X-Key: a b', '--header', 'X-Other:c').credential, {
    'x-key': 'a b',
    'x-other': 'c',
  });
});

test('a credential in the environment', () => {
  const credentialBy = (environment: Readonly<Record<string, string>>, ...words: readonly string[]) => {
    const line = readCommandLine([...URL_WORDS, ...words], environment);
    assert.ok(line !== 'help');
    return line.options.credential;
  };
  assert.deepEqual(credentialBy({ TAXII_KEY: 'k' }), { authorization: 'Bearer k' });
  assert.deepEqual(credentialBy({ TAXII_TOKEN: 'k' }), { authorization: 'Token k' });
  assert.deepEqual(credentialBy({ TAXII_BASIC: 'u:p' }), { authorization: 'Basic dTpw' });
  assert.deepEqual(credentialBy({ TAXII_KEY: '', TAXII_TOKEN: 'k' }), { authorization: 'Token k' });
  assert.deepEqual(credentialBy({ TAXII_KEY: 'k' }, '--header', 'X-Other: c'), {
    authorization: 'Bearer k',
    'x-other': 'c',
  });
  const both = { TAXII_KEY: 'k', TAXII_BASIC: 'u:p' };
  assert.deepEqual(credentialBy(both, '--token', 't'), { authorization: 'Token t' });
  assert.throws(() => credentialBy(both), /only one of TAXII_KEY, TAXII_TOKEN and TAXII_BASIC/);
});

test('what is refused is not repeated: it may be a credential', () => {
  const secret = '-s3cret';
  for (const words of [
    [secret.slice(1)],
    ['--key', secret],
    ['--key', secret.slice(1), '--basic', `a:${secret}`],
    ['--key', secret.slice(1), '--token=x'],
    ['--kye', secret.slice(1)],
    [`--kye=${secret}`],
    ['--header', secret.slice(1)],
    ['--key', `${secret.slice(1)}\n`],
    ['--header', `X-Key: ${secret}☃`],
    ['--url', `ftp://me:${secret}@taxii.example.org`],
    ['--url', `https://me:${secret}@taxii.example.org`],
  ]) {
    assert.throws(
      () => readCommandLine([...URL_WORDS, ...words]),
      (error) => error instanceof UsageError && error.message !== '' && !error.message.includes('s3cret'),
      words.join(' '),
    );
  }
});

test('the rest, and the defaults', () => {
  assert.deepEqual(optionsOf(), {
    url: new URL('https://taxii.example.org/taxii2/'),
    credential: {},
    collection: undefined,
    writable: undefined,
    limit: 1_000,
    timeoutMs: 10_000,
    waitSeconds: 60,
    waivers: [],
  });
  const options = optionsOf(
    '--collection',
    'a',
    '--collection-writable',
    'b',
    '--limit',
    '5',
    '--timeout',
    '3',
    '--wait',
    '0',
  );
  assert.deepEqual(
    [options.collection, options.writable, options.limit, options.timeoutMs, options.waitSeconds],
    ['a', 'b', 5, 3_000, 0],
  );
  assert.equal(readCommandLine(['--help']), 'help');
});

test('a file of waivers, in which a misspelled member would excuse too much', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'taxii-waivers-'));
  const file = join(folder.path, 'waivers.json');
  const waiver = { rule: 'a', reason: 'b' };
  for (const list of [[], [waiver], [{ ...waiver, collection: 'c', seen: ['d'] }]]) {
    await writeFile(file, JSON.stringify(list));
    assert.deepEqual(optionsOf('--waivers', file).waivers, list);
  }
  for (const wrong of [
    {},
    waiver,
    [{ rule: 'a' }],
    [{ ...waiver, reason: '' }],
    [{ ...waiver, colection: 'c' }],
    [{ ...waiver, collection: '' }],
    [{ ...waiver, seen: 'd' }],
    [{ ...waiver, seen: [] }],
  ]) {
    await writeFile(file, JSON.stringify(wrong));
    assert.throws(() => optionsOf('--waivers', file), UsageError, JSON.stringify(wrong));
  }
});

test('what cannot be meant', () => {
  for (const words of [
    [],
    ['--url', 'taxii.example.org'],
    ['--url', 'ftp://taxii.example.org'],
    [...URL_WORDS, '--key', 'a', '--basic', 'b:c'],
    [...URL_WORDS, '--header', 'nothing'],
    [...URL_WORDS, '--limit', '0'],
    [...URL_WORDS, '--timeout', '1.5'],
    [...URL_WORDS, '--wait', '-1'],
    [...URL_WORDS, '--wait', 'long'],
    [...URL_WORDS, '--waivers', '/no/such/file'],
    [...URL_WORDS, '--what'],
    [...URL_WORDS, 'what'],
  ])
    assert.throws(() => readCommandLine(words), UsageError, words.join(' '));
});
