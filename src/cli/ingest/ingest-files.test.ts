import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { EVENT } from '../../domain/indicator/observation.test-support.ts';
import type { SensorEvent } from '../../domain/indicator/sensor-event.ts';
import type { Commands } from '../../pipeline/commands.ts';
import type { EventResult, Reporter } from '../../pipeline/reporter.ts';
import { CliError } from '../terminal.ts';
import { Explainer, explanationLine } from './explanation.ts';
import { ingestFiles } from './ingest-files.ts';
import { toIngestJson } from './ingest-report.ts';
import type { IngestProgress } from './progress.ts';

const REPORTER: Reporter = {
  account: 'default',
  id: 'source:local',
  group: 'source:local',
  source: { id: 'local', name: 'local', reliability: 0.7 },
  title: 'local',
  sources: ['*'],
  ceiling: 'RED',
};

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tis-ingest-'));
});
after(() => rm(folder, { recursive: true }));

async function fileOf(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

function lines(count: number, from = 0): string {
  return Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      eventId: String(from + index),
      sensorId: 's',
      value: `192.0.2.${(from + index) % 256}`,
      observedAt: '2026-03-02T05:11:09Z',
    }).concat('\n'),
  ).join('');
}

/** Takes in every event once; refuses values that start with `10.`. */
class FakeCommands implements Pick<Commands, 'ingest'> {
  readonly batches: (readonly SensorEvent[])[] = [];
  readonly reporters = new Set<Reporter>();
  waiting = 0;
  mostWaiting = 0;
  readonly #seen = new Set<string>();
  readonly #before: (batch: number) => Promise<void>;

  constructor(before: (batch: number) => Promise<void> = async () => {}) {
    this.#before = before;
  }

  async ingest(events: readonly SensorEvent[], reporter: Reporter): Promise<EventResult[]> {
    this.batches.push(events);
    this.reporters.add(reporter);
    this.waiting += 1;
    this.mostWaiting = Math.max(this.mostWaiting, this.waiting);
    await this.#before(this.batches.length);
    this.waiting -= 1;
    return events.map((event): EventResult => {
      const { eventId } = event;
      if (event.value.startsWith('10.')) return { eventId, status: 'REFUSED', reason: 'PRIVATE_ADDRESS' };
      const isNew = !this.#seen.has(eventId);
      this.#seen.add(eventId);
      return { eventId, status: isNew ? 'ACCEPTED' : 'DUPLICATE' };
    });
  }

  verify(): Promise<string> {
    throw new Error('not used');
  }
}

test('everything in the files is counted, by file and together', async () => {
  const first = await fileOf('first.jsonl', `${lines(3)}{"cut\n\n${lines(1)}`);
  const second = await fileOf('second.jsonl', `${lines(1)}${lines(1, 9).replace('192.0.2.9', '10.0.0.1')}`);
  const commands = new FakeCommands();
  const report = await ingestFiles([first, second], { format: 'auto' }, commands, REPORTER);
  const { seconds, ...json } = toIngestJson(report);
  assert.equal(typeof seconds, 'number');
  assert.deepEqual(json, {
    records: 7,
    recordsWithEvents: 6,
    recordsWithoutObservable: 0,
    recordsRefused: 1,
    events: 6,
    accepted: 3,
    duplicates: 2,
    refused: 1,
    refusedRecords: { INVALID_JSON: 1 },
    refusedEvents: { PRIVATE_ADDRESS: 1 },
    files: [
      {
        file: first,
        format: 'sensor-events',
        records: 5,
        recordsWithEvents: 4,
        recordsWithoutObservable: 0,
        recordsRefused: 1,
        events: 4,
        accepted: 3,
        duplicates: 1,
        refused: 0,
        refusedRecords: { INVALID_JSON: 1 },
        refusedRecordLines: { INVALID_JSON: [4] },
        refusedEvents: {},
      },
      {
        file: second,
        format: 'sensor-events',
        records: 2,
        recordsWithEvents: 2,
        recordsWithoutObservable: 0,
        recordsRefused: 0,
        events: 2,
        accepted: 0,
        duplicates: 1,
        refused: 1,
        refusedRecords: {},
        refusedRecordLines: {},
        refusedEvents: { PRIVATE_ADDRESS: 1 },
      },
    ],
  });
  assert.deepEqual([...commands.reporters], [REPORTER]);
});

test('batches hold at most 1,000 events in order, and few of them wait at a time', {
  timeout: 60_000,
}, async () => {
  const file = await fileOf('many.jsonl', lines(10_500));
  const BATCHES = 11;
  const begun = Array.from({ length: BATCHES }, () => Promise.withResolvers<void>());
  // Each is held until the next one has come, and a while longer, in which one too many would come.
  const commands = new FakeCommands(async (batch) => {
    begun[batch - 1]?.resolve();
    await begun[batch]?.promise;
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  });
  const report = await ingestFiles([file], { format: 'auto' }, commands, REPORTER);
  assert.equal(report.files[0]?.accepted, 10_500);
  assert.deepEqual(
    commands.batches.map((batch) => batch.length),
    [...Array(BATCHES - 1).fill(1_000), 500],
  );
  assert.deepEqual(
    commands.batches.flat().map((event) => event.eventId),
    Array.from({ length: 10_500 }, (_, index) => String(index)),
  );
  assert.equal(commands.mostWaiting, 2);
});

test('gzip is read whatever its name, and one that is cut off is a refused record', async () => {
  const packed = gzipSync(lines(2_000));
  const whole = await fileOf('whole.log', packed);
  const report = await ingestFiles([whole], { format: 'auto' }, new FakeCommands(), REPORTER);
  assert.equal(report.files[0]?.accepted, 2_000);

  const cutOff = await fileOf('cut.gz', packed.subarray(0, packed.length - 100));
  const [file] = (await ingestFiles([cutOff], { format: 'auto' }, new FakeCommands(), REPORTER)).files;
  assert.deepEqual([...(file?.refusedRecords.keys() ?? [])], ['DAMAGED_GZIP']);
  assert.ok((file?.accepted ?? 0) > 0);
});

test('the marking and the sensor are for what carries none', async () => {
  const unmarked = '{"eventId":"1","value":"192.0.2.1","observedAt":"2026-03-02T05:11:09Z"}';
  const marked =
    '{"eventId":"2","sensorId":"own","tlp":"TLP_MARKING_RED","value":"192.0.2.1","observedAt":"2026-03-02T05:11:09Z"}';
  const file = await fileOf('marked.jsonl', `${unmarked}\n${marked}\n`);
  const commands = new FakeCommands();
  await ingestFiles([file], { format: 'auto', tlp: 'AMBER', sensor: 'given' }, commands, REPORTER);
  assert.deepEqual(
    commands.batches.flat().map((event) => [event.sensorId, event.tlp]),
    [
      ['given', 'AMBER'],
      ['own', 'RED'],
    ],
  );
});

test('a wrong file or format is told before anything is stored', async () => {
  const good = await fileOf('good.jsonl', lines(1));
  const unknown = await fileOf('unknown.txt', 'just text\n');
  const damaged = await fileOf('damaged.gz', Buffer.from([0x1f, 0x8b, 9, 9, 9, 9]));
  const commands = new FakeCommands();
  const attempts: [string[], string, RegExp][] = [
    [[good, join(folder, 'missing')], 'auto', /missing: no such file$/],
    [[good, folder], 'auto', /is a directory$/],
    [
      [good, unknown],
      'auto',
      /unknown\.txt: unknown format; .*sensor-events, conpot-json, conpot-text, cowrie, .*$/,
    ],
    [[good, damaged], 'auto', /damaged\.gz: damaged gzip data$/],
    [[good], 'syslog', /^--format: "syslog" is not one of auto, /],
    [['-', '-'], 'auto', /only once/],
  ];
  for (const [files, format, message] of attempts) {
    await assert.rejects(ingestFiles(files, { format }, commands, REPORTER), (error: unknown) => {
      assert.ok(error instanceof CliError);
      assert.match(error.message, message);
      return true;
    });
  }
  assert.equal(commands.batches.length, 0);
});

test('a named format is taken at its word', async () => {
  const file = await fileOf('text.txt', 'just text\n');
  const report = await ingestFiles([file], { format: 'sensor-events' }, new FakeCommands(), REPORTER);
  assert.deepEqual(
    [...(report.files[0]?.refusedRecords ?? [])],
    [['INVALID_JSON', { count: 1, lines: [1], detail: 'malformed JSON at character 1: expected a value' }]],
  );
});

test('an empty file has no records', async () => {
  const file = await fileOf('empty.log', '');
  const report = await ingestFiles([file], { format: 'auto' }, new FakeCommands(), REPORTER);
  assert.equal(report.files[0]?.records, 0);
});

test('a batch that cannot be stored ends it with the error', async () => {
  const file = await fileOf('many-more.jsonl', lines(5_000));
  const commands = new FakeCommands(async (batch) => {
    if (batch === 2) throw new Error('disk full');
  });
  await assert.rejects(ingestFiles([file], { format: 'auto' }, commands, REPORTER), /disk full/);
});

test('an answer that is short of a result is not passed over', async () => {
  const file = await fileOf('two.jsonl', lines(2));
  const commands: Pick<Commands, 'ingest'> = { ingest: async () => [] };
  await assert.rejects(ingestFiles([file], { format: 'auto' }, commands, REPORTER), /not all accounted for/);
});

test('progress counts bytes as they lie in the files, up to their size', async () => {
  const packed = gzipSync(lines(3_000));
  const file = await fileOf('progress.gz', packed);
  const seen: IngestProgress[] = [];
  const onProgress = (progress: IngestProgress): void => void seen.push(progress);
  await ingestFiles([file], { format: 'auto', onProgress }, new FakeCommands(), REPORTER);
  assert.deepEqual(seen.at(-1)?.bytes, packed.length);
  assert.deepEqual(seen.at(-1)?.totalBytes, packed.length);
});

test('standard input, and what comes slowly does not wait for a batch to fill', async () => {
  const commands = new FakeCommands();
  const sent: number[] = [];
  async function* stdin(): AsyncGenerator<Uint8Array> {
    for (let index = 0; index < 3; index += 1) {
      yield Buffer.from(lines(1, index));
      await new Promise((resolve) => setImmediate(resolve));
      sent.push(commands.batches.length);
    }
  }
  const report = await ingestFiles(['-'], { format: 'auto', stdin: stdin() }, commands, REPORTER);
  assert.equal(report.files[0]?.accepted, 3);
  assert.deepEqual(sent, [1, 2, 3]);
});

test('the home net decides which end of a connection is reported', async () => {
  const alert = {
    timestamp: '2026-03-02T05:11:09.401882+0000',
    flow_id: 1,
    event_type: 'alert',
    src_ip: '203.0.113.9',
    dest_ip: '198.51.100.7',
    alert: { signature: 'x', category: 'Malware Command and Control Activity Detected', severity: 1 },
  };
  const file = await fileOf('eve.json', JSON.stringify(alert));
  const commands = new FakeCommands();
  const strangers = await ingestFiles([file], { format: 'auto' }, commands, REPORTER);
  assert.deepEqual([...(strangers.files[0]?.refusedRecords.keys() ?? [])], ['UNKNOWN_DIRECTION']);
  await ingestFiles([file], { format: 'auto', homeNet: ['203.0.113.0/24'] }, commands, REPORTER);
  assert.equal(commands.batches[0]?.[0]?.value, '198.51.100.7');
});

test('every record and event is explained, in the order of the file', async () => {
  const [known = ''] = lines(1).split('\n');
  const file = await fileOf(
    'explained.jsonl',
    [
      known.replace('}', ',"evidence":{"modbus.function_code":"5"}}'),
      known.replace('"observedAt"', '"sevrity":4,"observedAt"'),
      known.replace('192.0.2.0', '10.0.0.1').replace('"0"', '"2"'),
      known.replace('"0"', '"3"').replace('}', ',"evidence":{"modbus.function":"5"}}'),
    ].join('\n'),
  );
  const log = await fileOf(
    'eve.json',
    '{"timestamp":"2026-03-02T05:11:09.000001+0000","event_type":"stats","stats":{}}\n',
  );
  const told: string[] = [];
  await ingestFiles(
    [file, log],
    { format: 'auto', onExplained: (one) => told.push(explanationLine(one).slice(folder.length + 1)) },
    new FakeCommands(),
    REPORTER,
  );
  assert.deepEqual(told, [
    'explained.jsonl:1: 192.0.2.0 accepted as modbus:write-single-coil',
    'explained.jsonl:2: record refused, UNKNOWN_FIELD, sevrity: is not a known member; the nearest is severity',
    'explained.jsonl:3: 10.0.0.1 refused, PRIVATE_ADDRESS',
    'explained.jsonl:4: 192.0.2.0 accepted, evidence key "modbus.function" is not known; the nearest is modbus.function_code',
    'eve.json:1: nothing to report, stats',
  ]);
});

test('explanations that wait for an event stay bounded', () => {
  const told: number[] = [];
  const explainer = new Explainer(({ line }) => told.push(line));
  const decide = explainer.event('f', 1, EVENT);
  for (let line = 2; line <= 9_999; line++)
    explainer.record('f', { kind: 'withoutObservable', line, what: '' });
  assert.equal(explainer.isFull, false);
  explainer.record('f', { kind: 'withoutObservable', line: 10_000, what: '' });
  assert.deepEqual([explainer.isFull, told.length], [true, 0]);
  decide({ eventId: '1', status: 'ACCEPTED' });
  assert.deepEqual([explainer.isFull, told.length, told[0]], [false, 10_000, 1]);
});
