// Real sensor logs, where they lie beside the checkout. They are nobody's to copy: nothing of them is in the project.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isNotPublic } from './support/address-scope.ts';
import { ROOT, tis } from './support/command-line.ts';
import { RunningService } from './support/running-service.ts';
import { dump } from './support/store-dump.ts';

const FOLDER = join(ROOT, '../shared/data/sensor-logs/conpot');
const skip = existsSync(FOLDER) ? false : 'there are no real logs beside this checkout';

interface Report {
  readonly records: number;
  readonly recordsWithEvents: number;
  readonly recordsWithoutObservable: number;
  readonly recordsRefused: number;
  readonly events: number;
  readonly accepted: number;
  readonly duplicates: number;
  readonly refused: number;
}

test('a real Conpot log: counts add up, only strangers become indicators, a repeat changes nothing', {
  skip,
}, async () => {
  const logs = readdirSync(FOLDER).map((name) => join(FOLDER, name));
  const service = await RunningService.start();
  try {
    const ingest = async (): Promise<Report> => {
      const { code, stdout, stderr } = await tis([
        'ingest',
        '--json',
        '--data-dir',
        service.dataDir,
        ...logs,
      ]);
      assert.deepEqual([code, stderr], [0, '']);
      return JSON.parse(stdout) as Report;
    };
    const first = await ingest();
    assert.ok(first.records > 1_000);
    assert.equal(
      first.records,
      first.recordsWithEvents + first.recordsWithoutObservable + first.recordsRefused,
    );
    assert.equal(first.events, first.accepted + first.duplicates + first.refused);
    assert.ok(first.accepted > 100);

    const before = await dump(service);
    const values = before.indicators.map(({ value }) => value);
    assert.deepEqual(values.filter(isNotPublic), []);
    const own = logs.flatMap((log) =>
      [...readFileSync(log, 'utf8').matchAll(/Fetched (\S+) as external ip/g)].map(
        ([, address = '']) => address,
      ),
    );
    assert.ok(own.length > 0);
    assert.deepEqual(
      values.filter((value) => own.includes(value)),
      [],
    );

    const again = await ingest();
    assert.deepEqual([again.events, again.accepted, again.refused], [first.events, 0, first.refused]);
    assert.deepEqual(await dump(service), before);
  } finally {
    await service.dispose();
  }
});
