// The suite passes a server that keeps every rule, and reports exactly the rules that a faulty server breaks.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { CHECKLIST } from '../src/checklist.ts';
import { bearer, type Conformance, checkConformance, type Finding } from '../src/conformance.ts';
import { type Flaw, together } from './fault.ts';
import { answersFlaws } from './flaws/answers.ts';
import { filtersFlaws } from './flaws/filters.ts';
import { listingsFlaws } from './flaws/listings.ts';
import { pagingFlaws } from './flaws/paging.ts';
import { resourcesFlaws } from './flaws/resources.ts';
import { stixFlaws } from './flaws/stix.ts';
import { transportFlaws } from './flaws/transport.ts';
import { writingFlaws } from './flaws/writing.ts';
import { INBOX_COLLECTION, MAIN_COLLECTION } from './model-data.ts';
import { type Fault, KEY, startModel } from './model-server.ts';

const BATCHES: readonly (readonly Flaw[])[] = [
  ...transportFlaws,
  ...resourcesFlaws,
  ...listingsFlaws,
  ...pagingFlaws,
  ...filtersFlaws,
  ...writingFlaws,
  ...stixFlaws,
  ...answersFlaws,
];

async function tryModel(fault?: Fault, begin?: Flaw['begin']): Promise<Conformance> {
  await using model = await startModel(fault);
  const url = new URL(model.url);
  begin?.(url);
  return await checkConformance({ url, credential: bearer(KEY), writable: INBOX_COLLECTION });
}

function titlesOf(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ title }) => title);
}

test('a server that keeps every rule passes every rule, and each of them is tried', async () => {
  const { findings, collection, apiRoot } = await tryModel();
  assert.deepEqual(
    titlesOf(findings),
    titlesOf(CHECKLIST.map((rule) => ({ ...rule, outcome: 'ok', reason: '' }))),
  );
  const others = findings.filter(({ outcome }) => outcome !== 'ok');
  assert.deepEqual(titlesOf(others), ['transport: the server is reached by HTTPS']);
  assert.deepEqual([apiRoot, collection], ['/taxii2/', MAIN_COLLECTION]);
});

describe('a server with flaws breaks the rules about them, and no others', () => {
  for (const flaws of BATCHES) {
    test(flaws.map(({ name }) => name).join('; '), async () => {
      const [begin] = flaws.flatMap((flaw) => flaw.begin ?? []);
      const { findings } = await tryModel(together(flaws.map(({ fault }) => fault)), begin);
      const broken = findings.filter(({ outcome }) => outcome === 'fail' || outcome === 'warning');
      const expected = new Set(flaws.flatMap((flaw) => flaw.broken));
      assert.deepEqual(new Set(titlesOf(broken)), expected);
      for (const { level, outcome, reason } of broken) {
        assert.equal(outcome, level === 'MUST' ? 'fail' : 'warning');
        assert.ok(reason.length > 0);
      }
    });
  }
});

test('every rule has a flaw that breaks it', () => {
  const planted = new Set(BATCHES.flat().flatMap(({ broken }) => broken));
  const missing = CHECKLIST.filter(({ title }) => !planted.has(title)).map(({ title }) => title);
  assert.deepEqual(missing, []);
});

test('the README tells how many rules there are', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const [, told, counts = ''] = /^(\d+) rules at .* requests: (.*)$/m.exec(readme) ?? [];
  assert.equal(Number(told), CHECKLIST.length);
  const sum = [...counts.matchAll(/\d+/g)].reduce((total, [count]) => total + Number(count), 0);
  assert.equal(sum, CHECKLIST.length);
});

test('no two rules have the same title, and each names its section', () => {
  const titles = CHECKLIST.map(({ title }) => title);
  assert.deepEqual(
    titles.filter((title, at) => titles.indexOf(title) !== at),
    [],
  );
  for (const { section } of CHECKLIST) assert.match(section, /^((STIX|RFC \d+) )?(\d+(\.\d+)*|B)$/);
});
