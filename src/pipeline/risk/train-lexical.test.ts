// The lexical model: what is read, trained and measured.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { areaUnderCurve, calibrate, calibrationBins, foundAt } from './discrimination.ts';
import { hostsIn } from './hosts-in-text.ts';
import { cleaned, type LabelledSource, readSources, registeredName } from './labelled-sources.ts';
import { FEATURE_COUNT, lexicalFeatures } from './lexical-features.ts';
import { lexicalProbability } from './lexical-model.ts';
import { probabilityOf, trainLogistic } from './logistic.ts';
import { trainLexical } from './train-lexical.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'names-'));
after(() => rmSync(FOLDER, { recursive: true, force: true }));

test('hosts are found in lists, CSV, MISP and STIX, defanged or not', () => {
  const text = `# a comment about commented.com
evil[.]com
hxxps://www[.]bad-shop[.]co[.]uk/login?x=1,phishing
{"type":"domain","value":"c2.example.org"} "[domain-name:value = 'stix.net']"
.wildcard.info *.star.biz 203.0.113.7:80 port.dev:8443 someone@mailbox.com dropper.exe a.b localhost`;
  assert.deepEqual(hostsIn(text).toSorted(), [
    'c2.example.org',
    'evil.com',
    'port.dev',
    'star.biz',
    'stix.net',
    'wildcard.info',
    'www.bad-shop.co.uk',
  ]);
  fc.assert(fc.property(fc.string(), (any) => hostsIn(any).every((host) => registeredName(host) !== '')));
});

test('each entry of a folder is a source; those of one origin are one; what is good is not bad', async () => {
  const folder = join(FOLDER, 'bad');
  mkdirSync(join(folder, 'two'), { recursive: true });
  writeFileSync(join(folder, 'one.txt'), 'a1.com\nb1.com\nc1.com\nwww.good1.com\ngoogle.com\n');
  writeFileSync(join(folder, 'two/x.csv'), 'a1.com,x\nd1.com,x\n');
  writeFileSync(join(folder, 'three.txt'), 'e1.com\n');
  writeFileSync(join(FOLDER, 'good.txt'), 'good1.com\n');
  const sources = [
    ...(await readSources([folder], true)),
    ...(await readSources([join(FOLDER, 'good.txt')], false)),
  ];
  assert.deepEqual(
    sources.map(({ name, hosts }) => [name, hosts.length]),
    [
      ['one.txt', 5],
      ['three.txt', 1],
      ['two', 2],
      ['good.txt', 1],
    ],
  );
  const clean = cleaned(sources);
  assert.deepEqual(clean.map(({ name, isBad, hosts }) => [name, isBad, hosts.length]).toSorted(), [
    ['good.txt', false, 1],
    ['one.txt, two', true, 4],
    ['three.txt', true, 1],
  ]);
  for (const { sha256 } of clean) assert.match(sha256, /^[0-9a-f]{64}$/);
  await assert.rejects(readSources([join(FOLDER, 'missing')], true), /missing does not exist/);
});

/** Names of a source: syllables for good ones, digits and rare letters for bad ones. */
function source(name: string, isBad: boolean, count: number, seed: number): LabelledSource {
  const syllables = ['ka', 'lo', 'mi', 'ne', 'ru', 'sa', 'to', 'vi'];
  const rare = ['x7', 'qz', 'k9', 'zj', 'w3', 'vq', 'j0', 'xx'];
  const hosts = Array.from({ length: count }, (_, index) => {
    let number = (index + 1) * 7_919 + seed;
    let text = '';
    for (let part = 0; part < 5; part++) {
      text += (isBad ? rare : syllables)[number % 8];
      number = Math.floor(number / 8) + index;
    }
    return `${text}${index % 10}.com`;
  });
  return { name, isBad, hosts: [...new Set(hosts)], sha256: '' };
}

test('a model tells unseen sources apart', () => {
  const sources = [
    source('bad one', true, 120, 1),
    source('bad two', true, 90, 500),
    source('too small', true, 9, 9_000),
    source('good one', false, 150, 3),
    source('good two', false, 90, 700),
  ];
  const steps: string[] = [];
  const { model, report } = trainLexical(sources, (done, all) => steps.push(`${done}/${all}`));
  assert.deepEqual(steps, ['1/5', '2/5', '3/5', '4/5', '5/5']);
  assert.deepEqual(
    report.unseen.map(({ name }) => name),
    ['bad one', 'bad two', 'good one', 'good two'],
  );
  assert.ok(report.auc > 0.95, String(report.auc));
  assert.ok((report.aucUnseenGood ?? 0) > 0.9);
  assert.ok(lexicalProbability(model, 'qzx7k9vq.com') > 0.7);
  assert.ok(lexicalProbability(model, 'kalomine.com') < 0.3);
});

test('the same examples give the same weights', () => {
  const examples = Array.from({ length: 50 }, (_, index) => ({
    features: [index % 7, 7 + (index % 5)],
    isBad: index % 3 === 0,
    weight: 1,
  }));
  assert.deepEqual(trainLogistic(examples, 12), trainLogistic(examples, 12));
});

test('features are few numbers in range, for any name', () => {
  fc.assert(
    fc.property(fc.domain(), (host) => {
      const features = lexicalFeatures(host);
      assert.equal(new Set(features).size, features.length);
      assert.ok(
        features.every((feature) => Number.isInteger(feature) && feature >= 0 && feature < FEATURE_COUNT),
      );
    }),
  );
});

test('the area under the curve is the share of pairs in order', () => {
  assert.equal(areaUnderCurve([2, 3], [1]), 1);
  assert.equal(areaUnderCurve([1], [1]), 0.5);
  const scores = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1 });
  fc.assert(
    fc.property(scores, scores, (bad, good) => {
      const pairs = bad.flatMap((one) => good.map((other) => (one > other ? 1 : one === other ? 0.5 : 0)));
      const share = pairs.reduce<number>((sum, pair) => sum + pair, 0) / pairs.length;
      assert.ok(Math.abs(areaUnderCurve(bad, good) - share) < 1e-9);
    }),
  );
  assert.equal(foundAt(0.5, [1, 3], [0, 2, 2, 4]), 0.5);
});

test('a calibrated probability is the share of bad ones', () => {
  const scores = Array.from({ length: 81 }, (_, index) => (index - 40) / 10);
  const copies = (score: number, share: number) => new Array<number>(Math.round(100 * share)).fill(score);
  const bad = scores.flatMap((score) => copies(score, probabilityOf(2 * score)));
  const good = scores.flatMap((score) => copies(score, 1 - probabilityOf(2 * score)));
  const { slope, intercept } = calibrate(bad, good);
  assert.ok(Math.abs(slope - 2) < 0.1 && Math.abs(intercept) < 0.1, `${slope} ${intercept}`);
  const probability = (score: number) => probabilityOf(slope * score + intercept);
  for (const { meanProbability, shareBad } of calibrationBins(bad.map(probability), good.map(probability)))
    assert.ok(Math.abs(meanProbability - shareBad) < 0.05, `${meanProbability} ${shareBad}`);
  assert.ok(calibrate([1, 1], [0, 0]).slope > 0, 'scores without overlap have no scale of their own');
});
