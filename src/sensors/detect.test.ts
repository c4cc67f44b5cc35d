import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detectFormat, FORMATS, formatNamed, recognisedFormat } from './detect.ts';

const EVENT = '{"eventId":"1","sensorId":"s","value":"192.0.2.1","observedAt":"2026-03-02T05:11:09Z"}';
const OLD_CONPOT = '{"timestamp":"2026-03-02T05:11:09","src_ip":"192.0.2.1","data_type":"modbus"}';
const NEW_CONPOT =
  '{"event_time":"2026-03-02T05:11:09","src_ip":"192.0.2.1","protocol":"modbus","session_id":"1"}';
const TEXT_CONPOT = '2026-03-02 06:00:00,112 Starting Conpot using template: /opt/conpot/templates/default';

async function* chunksOf(...chunks: string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk);
}

async function detect(...chunks: string[]): Promise<[string | undefined, string]> {
  const { format, bytes } = await detectFormat(chunksOf(...chunks));
  return [format?.name, Buffer.concat(await Array.fromAsync(bytes)).toString()];
}

test('formats are recognised by their first lines, also behind a damaged one', () => {
  const nameOf = (...sample: string[]): string | undefined => recognisedFormat(sample)?.name;
  assert.equal(nameOf(EVENT), 'sensor-events');
  assert.equal(nameOf(OLD_CONPOT), 'conpot-json');
  assert.equal(nameOf(NEW_CONPOT), 'conpot-json');
  assert.equal(nameOf(TEXT_CONPOT), 'conpot-text');
  assert.equal(nameOf('{"cut', EVENT), 'sensor-events');
  assert.equal(nameOf('  File "x"', TEXT_CONPOT), 'conpot-text');
});

test('other logs are not taken for one of ours', () => {
  for (const line of [
    '',
    'text',
    '{}',
    '[]',
    '{"src_ip":"192.0.2.1"}',
    '2026-03-02 06:00:00,112 GET /login 200',
  ]) {
    assert.equal(recognisedFormat([line]), undefined, line);
  }
});

test('every format has a name to ask for it by', () => {
  assert.deepEqual(FORMATS, ['sensor-events', 'conpot-json', 'conpot-text']);
  for (const name of FORMATS) assert.equal(formatNamed(name)?.name, name);
  assert.equal(formatNamed('auto'), undefined);
});

test('all of the input is there afterwards', async () => {
  const long = `${TEXT_CONPOT}\n`.repeat(3_000);
  assert.deepEqual(await detect(long.slice(0, 10), long.slice(10)), ['conpot-text', long]);
  assert.deepEqual(await detect('text\n'.repeat(50_000)), [undefined, 'text\n'.repeat(50_000)]);
});

test('a first line that is longer than the sample is waited for', async () => {
  const line = `{"note":"${'x'.repeat(300_000)}",${EVENT.slice(1)}\n`;
  const chunks = line.match(/[\s\S]{1,60000}/g) ?? [];
  assert.deepEqual(await detect(...chunks), ['sensor-events', line]);
});

test('a pipe is recognised before it ends', async () => {
  async function* open(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${EVENT}\n`);
    await new Promise<never>(() => {});
  }
  const { format } = await detectFormat(open());
  assert.equal(format?.name, 'sensor-events');
});

test('an input without text has a format and no records', async () => {
  for (const chunks of [[], [''], ['\n', '  \n']]) {
    assert.deepEqual(await detect(...chunks), ['sensor-events', chunks.join('')]);
  }
});
