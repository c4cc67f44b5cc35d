// `tis model`: trained from names and verdicts, used for the risk score, and removed again.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { tis } from '../support/command-line.ts';

const folder = mkdtempSync(join(tmpdir(), 'tis-model-test-'));
const dataDir = join(folder, 'data');
after(() => rmSync(folder, { recursive: true, force: true }));

function run(...words: string[]) {
  return tis([...words, '--data-dir', dataDir]);
}

/** Sixty names, the same in every run. */
function names(syllables: readonly string[], seed: number): string {
  const lines = Array.from({ length: 60 }, (_, index) => {
    const at = (place: number) =>
      syllables[(index * (place + 3) + seed * place + (index >> place)) % syllables.length];
    return `${at(1)}${at(2)}${at(3)}${index}.com`;
  });
  return lines.join('\n');
}

test('a model is trained from names, shown, used for domains and URLs, and removed', async () => {
  const bad = join(folder, 'bad');
  const good = join(folder, 'good');
  mkdirSync(bad);
  mkdirSync(good);
  const odd = ['zq7x', 'k9vj', 'xw0q', 'jj3z', 'q8kk'];
  const plain = ['garden', 'school', 'music', 'river', 'market'];
  for (const [seed, name] of ['one.txt', 'two.txt'].entries()) {
    writeFileSync(join(bad, name), names(odd, seed + 1));
    writeFileSync(join(good, name), names(plain, seed + 1));
  }
  const trained = await run('model', 'train', '--bad', bad, '--good', good, '--json');
  assert.deepEqual([trained.code, trained.stderr], [0, '']);
  const { name, version, names: report } = JSON.parse(trained.stdout);
  assert.equal(name, 'trained-logistic');
  assert.match(version, /^\d{8}-[0-9a-f]{8}$/);
  assert.ok(report.auc > 0.9 && report.unseen.length === 4);
  const shown = await run('model', 'show');
  assert.match(shown.stdout, new RegExp(`^# trained-logistic ${version}\n`));
  assert.match(shown.stdout, /^\| one\.txt \| bad \| 60 \| [0-9a-f]{64} \|$/m);
  assert.match(
    shown.stdout,
    /^0 confirmed and 0 disputed indicators.* set by hand: there are too few verdicts\.$/m,
  );

  const events = ['zq7xk9vj.com', 'http://gardenschool.com/a', '198.51.100.7'].map((value, index) => ({
    eventId: `event-${index}`,
    sensorId: 's',
    value,
    observedAt: '2026-11-20T12:00:00Z',
  }));
  const file = join(folder, 'events.jsonl');
  writeFileSync(file, events.map((event) => JSON.stringify(event)).join('\n'));
  assert.equal((await run('ingest', file)).code, 0);
  const risk = async (value: string) =>
    JSON.parse((await run('explain', value, '--json')).stdout).receipt.risk;
  const odds = await risk('zq7xk9vj.com');
  assert.deepEqual([odds.model, odds.version], ['trained-logistic', version]);
  assert.ok(odds.features.lexical > 0.2 && odds.weights.lexical === 2);
  assert.ok((await risk('http://gardenschool.com/a')).features.lexical < -0.2);
  assert.equal('lexical' in (await risk('198.51.100.7')).features, false);

  assert.equal((await run('model', 'remove')).stdout, 'the model is removed\n');
  assert.match(
    (await run('model', 'show')).stdout,
    /^no model is installed; the risk score is evidence-logistic 1/,
  );
});

test('a call that nothing can be learned from is refused', async () => {
  const empty = join(folder, 'empty.txt');
  writeFileSync(empty, 'no names\n');
  for (const [words, message] of [
    [[], 'nothing to learn from: 0 confirmed and 0 disputed indicators'],
    [['--bad', empty], 'name both: --bad and --good'],
    [['--bad', empty, '--good', empty], '--bad and --good: one of them has no names of hosts'],
    [['--bad', join(folder, 'missing'), '--good', empty], `${join(folder, 'missing')} does not exist`],
  ] as const) {
    const { code, stderr } = await run('model', 'train', ...words);
    assert.notEqual(code, 0);
    assert.ok(stderr.includes(message), stderr);
  }
});
