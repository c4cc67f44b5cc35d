import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FileReport, printIngestTable } from './ingest-report.ts';

function fileOf(file: string, changes: Partial<FileReport> = {}): FileReport {
  return {
    file,
    format: 'conpot-text',
    records: 7,
    recordsWithEvents: 3,
    recordsWithoutObservable: 2,
    recordsRefused: 2,
    events: 4,
    accepted: 2,
    duplicates: 1,
    refused: 1,
    refusedRecords: new Map([['SENSOR_ADDRESS', { count: 12, lines: [3, 5] }]]),
    refusedEvents: new Map([['PRIVATE_ADDRESS', 1]]),
    ...changes,
  };
}

test('a table with a total, the reasons of refusals and the rate', (context) => {
  const written: string[] = [];
  const write = context.mock.method(process.stdout, 'write', (text: string) => written.push(text) > 0);
  printIngestTable({
    files: [fileOf('a.log'), fileOf('b.log', { refusedRecords: new Map() })],
    seconds: 0.5,
  });
  write.mock.restore();
  const rows = written.join('').trimEnd().split('\n');
  assert.deepEqual(rows[1]?.split(/\s+/), ['a.log', 'conpot-text', '7', '2', '2', '4', '2', '1', '1']);
  assert.deepEqual(rows[3]?.split(/\s+/), ['total', '14', '4', '4', '8', '4', '2', '2']);
  assert.deepEqual(rows.slice(4), [
    'a.log: refused records, SENSOR_ADDRESS: 12 (line 3, 5, …)',
    'a.log: refused events, PRIVATE_ADDRESS: 1',
    'b.log: refused events, PRIVATE_ADDRESS: 1',
    '8 events in 0.5 s, 16 events/s',
  ]);
});
