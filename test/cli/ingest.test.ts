// `tis ingest` as a process beside a running service.

import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { isNotPublic } from '../support/address-scope.ts';
import { type Finished, type ProcessOptions, ROOT, tis } from '../support/command-line.ts';
import type { RestClient } from '../support/http-client.ts';
import { RunningService } from '../support/running-service.ts';
import { anEvent, conpotModbusLine, daysAgo, events } from '../support/sensor-events.ts';
import { dump } from '../support/store-dump.ts';
import { until } from '../support/until.ts';

const EXAMPLES = ['conpot.log', 'conpot.jsonl', 'sensor-events.jsonl'].map((name) =>
  join(ROOT, 'examples', name),
);

interface Counts {
  readonly records: number;
  readonly recordsWithEvents: number;
  readonly recordsWithoutObservable: number;
  readonly recordsRefused: number;
  readonly events: number;
  readonly accepted: number;
  readonly duplicates: number;
  readonly refused: number;
  readonly refusedRecords: Readonly<Record<string, number>>;
  readonly refusedEvents: Readonly<Record<string, number>>;
}

interface Report extends Counts {
  readonly seconds: number;
  readonly files: readonly (Counts & { readonly file: string; readonly format: string })[];
}

let service: RunningService;
let reader: RestClient;

before(async () => {
  service = await RunningService.start();
  reader = service.as(await service.key({ tlpCeiling: 'RED' }));
});
after(() => service.dispose());

function ingest(words: readonly string[], options?: ProcessOptions): Promise<Finished> {
  return tis(['ingest', '--data-dir', service.dataDir, ...words], options);
}

/** The report of a run that must succeed. */
async function reportOf(words: readonly string[], options?: ProcessOptions): Promise<Report> {
  const { code, stdout, stderr } = await ingest(['--json', ...words], options);
  assert.deepEqual([code, stderr], [0, '']);
  return JSON.parse(stdout) as Report;
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, number) => total + number, 0);
}

function assertAddsUp(counts: Counts): void {
  const { recordsWithEvents, recordsWithoutObservable, recordsRefused, accepted, duplicates, refused } =
    counts;
  assert.equal(counts.records, recordsWithEvents + recordsWithoutObservable + recordsRefused);
  assert.equal(counts.events, accepted + duplicates + refused);
  assert.equal(recordsRefused, sum(Object.values(counts.refusedRecords)));
  assert.equal(refused, sum(Object.values(counts.refusedEvents)));
}

describe('the example logs', () => {
  let first: Report;

  test('are recognised, and what became of every record and event adds up', async () => {
    first = await reportOf(EXAMPLES);
    assertAddsUp(first);
    for (const file of first.files) assertAddsUp(file);
    assert.deepEqual(
      first.files.map(({ file, format }) => [file, format]),
      EXAMPLES.map((file, index) => [file, ['conpot-text', 'conpot-json', 'sensor-events'][index]]),
    );
    for (const name of ['records', 'events', 'accepted'] as const) {
      assert.equal(first[name], sum(first.files.map((file) => file[name])));
    }
    assert.equal(first.duplicates, 0);
    // The reasons that examples/README.md names.
    const [text, json, lines] = first.files;
    assert.deepEqual(Object.keys(text?.refusedRecords ?? {}).sort(), ['SENSOR_ADDRESS', 'UNKNOWN_SESSION']);
    assert.deepEqual(Object.keys(json?.refusedRecords ?? {}).sort(), ['INVALID_JSON', 'SENSOR_ADDRESS']);
    assert.deepEqual(lines?.refusedEvents, { PRIVATE_ADDRESS: 1 });
  });

  test('are searched and fed by the running service at once: the command did the work itself', async () => {
    const { indicators, feed } = await dump(service);
    assert.ok(indicators.length > 20);
    for (const { state, value } of indicators) assert.equal(state, 'INDICATOR_STATE_ENRICHED', value);
    assert.ok(feed.length > indicators.length);
    const types = new Set(indicators.map(({ type }) => type));
    assert.equal(types.size, 11, 'an example of every type of observable');
    // The addresses of the sensors, and private addresses.
    const values = indicators.map(({ value }) => value);
    for (const own of ['203.0.113.10', '203.0.113.11']) assert.equal(values.includes(own), false);
    assert.deepEqual(values.filter(isNotPublic), []);
  });

  test('read a second time, in any way, change no count, no score and no feed object', async () => {
    const earlier = await dump(service);
    const [text = '', json = ''] = EXAMPLES;
    const packed = join(service.dataDir, 'packed.log.gz');
    await writeFile(packed, gzipSync(await readFile(text)));
    for (const [words, options] of [
      [[...EXAMPLES, packed], {}],
      [['-'], { stdin: gzipSync(await readFile(text)) }],
      [['--format', 'conpot-json', '-'], { stdin: await readFile(json) }],
    ] as const) {
      const again = await reportOf(words, options);
      assertAddsUp(again);
      assert.equal(again.accepted, 0);
      assert.equal(again.duplicates, again.events - again.refused);
      assert.ok(again.duplicates > 0);
    }
    assert.deepEqual(await dump(service), earlier);
  });

  test('without --json there is a table with a line for every file and every reason', async () => {
    const { code, stdout, stderr } = await ingest(EXAMPLES);
    assert.deepEqual([code, stderr], [0, '']);
    for (const file of EXAMPLES) assert.ok(stdout.includes(file));
    assert.match(stdout, /^total +.*\b95\b/m);
    assert.match(stdout, /conpot\.jsonl: refused records, INVALID_JSON: 1 \(line 16\)/);
    assert.match(stdout, /refused events, PRIVATE_ADDRESS: 1/);
  });
});

describe('options', () => {
  test('source, reliability and marking of events that name none', async () => {
    const value = '198.51.100.33';
    const lines = [anEvent({ value }), anEvent({ value: '198.51.100.34', tlp: 'TLP_MARKING_CLEAR' })]
      .map((event) => JSON.stringify(event))
      .join('\n');
    const words = ['--source', 'north', '--reliability', '0.4', '--tlp', 'amber+strict', '-'];
    assert.equal((await reportOf(words, { stdin: lines })).accepted, 2);
    const indicator = await reader.find(value);
    assert.equal(indicator?.tlp, 'TLP_MARKING_AMBER_STRICT');
    assert.deepEqual(
      indicator.sources.map(({ id, name, reliability }) => [id, name, reliability]),
      [['north', 'north', 0.4]],
    );
    assert.equal((await reader.find('198.51.100.34'))?.tlp, 'TLP_MARKING_CLEAR');
  });

  test('a source of an event counts no more than its reporter, in a file as over HTTP', async () => {
    const sources = [
      { id: 'a' },
      { id: 'b', reliability: 0 },
      { id: 'c', reliability: 0.3 },
      { id: 'd', reliability: 1 },
    ];
    const about = (value: string) => sources.map((source) => anEvent({ value, source }));
    const reliabilities = async (value: string) =>
      (await reader.find(value))?.sources.map(({ name, reliability }) => [name, reliability]);
    const stdin = about('198.51.100.38')
      .map((event) => JSON.stringify(event))
      .join('\n');
    await reportOf(['--reliability', '0.4', '-'], { stdin });
    const sensor = service.as(await service.key({ sensor: true, reliability: 0.4 }));
    await sensor.ingest(about('198.51.100.39'));
    await service.settled();
    const expected = (reporter: string) => [
      [`a ${reporter}`, 0.4],
      [`b ${reporter}`, 0.4],
      [`c ${reporter}`, 0.3],
      [`d ${reporter}`, 0.4],
    ];
    assert.deepEqual(await reliabilities('198.51.100.38'), expected('(reported by local)'));
    assert.deepEqual(await reliabilities('198.51.100.39'), expected('(claimed by key test)'));
    const { indicators } = await reader.search({ filter: { sourceIds: ['local#c'] } });
    assert.deepEqual(
      indicators.map(({ value }) => value),
      ['198.51.100.38'],
    );
  });

  test('--no-process leaves the work to the running service', async () => {
    const address = '198.51.100.35';
    const stdin = conpotModbusLine(address, new Date(daysAgo(0)));
    assert.equal((await reportOf(['--no-process', '-'], { stdin })).accepted, 1);
    await until('the service to enrich it', async () => {
      return (await reader.find(address))?.state === 'INDICATOR_STATE_ENRICHED';
    });
  });

  test('TIS_PRIVATE_ADDRESSES=accept takes a plant’s own network', async () => {
    const stdin = JSON.stringify(anEvent({ value: '10.20.30.40' }));
    const report = await reportOf(['-'], { stdin, env: { TIS_PRIVATE_ADDRESSES: 'accept' } });
    assert.equal(report.accepted, 1);
  });

  test('TIS_MIN_PREFIX_IPV4 and TIS_MIN_PREFIX_IPV6 say how wide a range may be', async () => {
    const values = ['198.0.0.0/15', '2001:c00::/31', 'co.uk', '198.52.0.0/16', 'evil.co.uk'];
    const stdin = () => values.map((value) => JSON.stringify(anEvent({ value }))).join('\n');
    const { accepted, refusedEvents } = await reportOf(['-'], { stdin: stdin() });
    assert.deepEqual([accepted, refusedEvents], [2, { RANGE_TOO_WIDE: 2, PUBLIC_SUFFIX: 1 }]);
    const env = { TIS_MIN_PREFIX_IPV4: '15', TIS_MIN_PREFIX_IPV6: '31' };
    const wider = await reportOf(['-'], { stdin: stdin(), env });
    assert.deepEqual([wider.accepted, wider.refusedEvents], [4, { PUBLIC_SUFFIX: 1 }]);
  });

  test('the host of a download URL in a log is refused if it is a public suffix', async () => {
    const download = (url: string) =>
      JSON.stringify({
        eventid: 'cowrie.session.file_download',
        session: 'a',
        src_ip: '198.51.100.61',
        sensor: 'ssh',
        timestamp: new Date(daysAgo(1)).toISOString(),
        url,
      });
    const urls = ['http://com.cn/a.sh', 'http://evil.com.cn/a.sh'];
    const stdin = urls.map(download).join('\n');
    const { refusedEvents } = await reportOf(['--format', 'cowrie', '-'], { stdin });
    assert.deepEqual(refusedEvents, { PUBLIC_SUFFIX: 1 });
    const found = await Promise.all(['com.cn', 'evil.com.cn', ...urls].map((value) => reader.find(value)));
    assert.deepEqual(
      found.map((indicator) => indicator !== undefined),
      [false, true, true, true],
    );
  });
});

test('beside a service that takes events over HTTP nothing is lost, and a repeat counts once for each reporter', async () => {
  const value = '198.51.100.36';
  const sensor = service.as(await service.key({ sensor: true }));
  const logged = events(1_500, { value });
  const stdin = logged.map((event) => JSON.stringify(event)).join('\n');
  const command = reportOf(['-'], { stdin });
  const posted = events(20, { value });
  for (const event of posted) await sensor.ingest([event, logged[0]!]);
  const report = await command;
  await service.settled();
  const counted = sum(((await reader.find(value))?.sightings ?? []).map(({ count }) => Number(count)));
  // Event ids belong to the reporter: the event that both sent counts once for each of them.
  assert.equal(counted, logged.length + posted.length + 1);
  assert.equal(report.accepted, logged.length);
});

describe('what can not be read', () => {
  let folder: string;
  before(async () => {
    folder = join(service.dataDir, 'unreadable');
    await mkdir(folder);
    await writeFile(join(folder, 'letter.txt'), 'Dear Sir or Madam,\nnothing here is a log.\n');
    await writeFile(join(folder, 'damaged.gz'), Buffer.from('1f8b0800000000000003ffffffff', 'hex'));
    await writeFile(join(folder, 'empty.log'), '');
  });

  const cases: readonly (readonly [what: string, words: readonly string[], says: RegExp])[] = [
    [
      'a file that is not there, after a good one',
      [EXAMPLES[0] ?? '', 'missing.log'],
      /missing\.log: no such file/,
    ],
    ['a folder', ['.'], /is a directory/],
    ['an unknown format', ['--format', 'syslog', 'letter.txt'], /syslog.*conpot-json/],
    ['a file in no known format', ['letter.txt'], /letter\.txt: unknown format.*conpot-json/],
    ['a damaged archive', ['damaged.gz'], /damaged gzip/],
    ['standard input twice', ['-', '-'], /only once/],
    ['an unknown marking', ['--tlp', 'purple', 'letter.txt'], /--tlp: .*"purple"/],
    ['a reliability above one', ['--reliability', '1.5', 'letter.txt'], /--reliability: .*"1\.5"/],
    ['no file at all', [], /missing required argument/],
  ];
  test('is one line on standard error and a code above zero, and nothing is taken in', async () => {
    const earlier = await dump(service);
    const runs = cases.map(async ([what, words, says]) => {
      const inFolder = words.map((word) => (/^[a-z]+\.[a-z]+$|^\.$/.test(word) ? join(folder, word) : word));
      const { code, stdout, stderr } = await ingest(inFolder);
      assert.ok(code !== null && code > 0, `${what}: ${code}`);
      assert.equal(stdout, '', what);
      assert.match(stderr, says, what);
      assert.match(stderr, /^[^\n]+\n$/, what);
    });
    await Promise.all(runs);
    assert.deepEqual(await dump(service), earlier);
  });

  test('an empty file is a log with nothing in it', async () => {
    const report = await reportOf([join(folder, 'empty.log')]);
    assert.deepEqual([report.records, report.events], [0, 0]);
  });
});
