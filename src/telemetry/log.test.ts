// What a log line says, and what it never says.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ServiceError } from '../domain/errors.ts';
import { createJsonLog, type Log, type LogOptions, linesByTurn } from './log.ts';

const KEY = `tis_${'a1B2c3D4'.repeat(6)}9`;
const SENSOR_KEY = `tiss_${'a1B2c3D4'.repeat(6)}9`;
const TOKEN = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJlLXNpZ25hdHVyZQ';

function written(level: LogOptions['level'] = 'info'): {
  log: Log;
  lines: string[];
  last: () => Record<string, unknown>;
} {
  const lines: string[] = [];
  const log = createJsonLog({
    level,
    clock: () => 1_700_000_000_000,
    write: (line) => void lines.push(line),
  });
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? 'null') };
}

test('a line is one JSON object as pino writes it', () => {
  const { log, lines } = written();
  log.info({ status: 200, route: '/v1/indicators/{id}' }, 'request "done"\n');
  assert.deepEqual(lines, [
    '{"level":30,"time":1700000000000,"status":200,"route":"/v1/indicators/{id}","msg":"request \\"done\\"\\n"}\n',
  ]);
});

test('a message alone, an error alone, an error among members', () => {
  const { log, last } = written();
  log.warn('low');
  assert.deepEqual(last(), { level: 40, time: 1_700_000_000_000, msg: 'low' });
  log.error(new TypeError('broken'));
  assert.equal(last().msg, 'broken');
  assert.equal((last().err as { type: string }).type, 'TypeError');
  log.error({ err: new TypeError('broken') }, 'request failed');
  assert.equal(last().msg, 'request failed');
  assert.equal((last().err as { message: string }).message, 'broken');
});

test('an error brings its reason, its codes and its causes', () => {
  const { log, last } = written();
  const cause = Object.assign(new Error('disk full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 });
  log.error(new ServiceError('unavailable', 'not now', { reason: 'STORE_UNAVAILABLE', cause }));
  const { stack, cause: told, ...rest } = last().err as Record<string, unknown>;
  assert.deepEqual(rest, {
    type: 'ServiceError',
    message: 'not now',
    code: 'unavailable',
    reason: 'STORE_UNAVAILABLE',
  });
  assert.match(String(stack), /log\.test\.ts/);
  assert.equal((told as { errcode: number }).errcode, 13);
  assert.equal((told as { code: string }).code, 'ERR_SQLITE_ERROR');
});

test('lines below the level are not written', () => {
  const { log, lines } = written('warn');
  for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const) log[level](level);
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).level),
    [40, 50, 60],
  );
  const silent = written('silent');
  silent.log.fatal('the end');
  assert.deepEqual(silent.lines, []);
});

test('a child adds its members to those of its parents, and may have another level', () => {
  const { log, lines, last } = written();
  const child = log.child({ thread: 'pipeline-0' }).child({ reqId: 'r1' });
  child.info('x');
  assert.deepEqual(last(), {
    level: 30,
    time: 1_700_000_000_000,
    thread: 'pipeline-0',
    reqId: 'r1',
    msg: 'x',
  });
  log.child({}, { level: 'error' }).warn('quiet');
  assert.equal(lines.length, 1);
});

test('class instances are left out, and every value becomes JSON', () => {
  const { log, last } = written();
  class Request {
    readonly headers = { authorization: `Bearer ${KEY}` };
  }
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  log.info(
    { req: new Request(), run: () => 1, circle, map: new Map(), left: undefined, count: 5n, list: [1] },
    'm',
  );
  assert.deepEqual(last(), {
    level: 30,
    time: 1_700_000_000_000,
    circle: { self: '[Circular]' },
    count: '5',
    list: [1],
    msg: 'm',
  });
  log.info(new Request());
  log.info({ method: 'GET', headers: { authorization: 'x' }, socket: {} });
  assert.ok(!JSON.stringify(last()).includes('authorization'));
});

test('credentials are removed from every part of a line', () => {
  const { log, lines } = written();
  log.error(
    new Error(`GET /x?key=${KEY} failed`, { cause: new Error(`Authorization: Basic YXBpOnNlY3JldA==`) }),
  );
  log.info({ path: `/taxii2/${SENSOR_KEY}` }, `token ${TOKEN} refused`);
  log.child({ header: `bearer ${TOKEN}` }).info('x');
  for (const space of ['\n', '\r', '\t', '\f', '\\']) log.error(new Error(`x${space}${KEY}${space}${TOKEN}`));
  log.child({ url: new URL(`http://x/${KEY}`) }).info('x');
  const text = lines.join('');
  for (const secret of [KEY, SENSOR_KEY, TOKEN, 'YXBpOnNlY3JldA', 'c2lnbmF0dXJl']) {
    assert.ok(!text.includes(secret), secret);
  }
  for (const line of lines) JSON.parse(line);
});

test('characters that a terminal would obey are escaped, and the line stays the same JSON', () => {
  const { log, lines, last } = written();
  log.error({ err: new Error('a\u009b31m\u007f') }, 'b\u202e\u2028\u001b[2J');
  assert.doesNotMatch(lines.join(''), /(?!\n)[\p{C}\p{Zl}\p{Zp}]/u);
  assert.equal(last().msg, 'b\u202e\u2028\u001b[2J');
});

test('lines of one turn leave together, in order', async () => {
  const written: string[] = [];
  const { write, flushSync } = linesByTurn((text) => void written.push(text));
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  write('a\n');
  write('b\n');
  assert.deepEqual(written, []);
  await turn();
  assert.deepEqual(written, ['a\nb\n']);
  write('c\n');
  flushSync();
  assert.deepEqual(written, ['a\nb\n', 'c\n']);
  await turn();
  assert.equal(written.length, 2);
});

test('a turn with many lines holds a bounded amount of text', () => {
  const written: string[] = [];
  const { write } = linesByTurn((text) => void written.push(text));
  for (let index = 0; index < 1_000; index++) write(`${'x'.repeat(199)}\n`);
  assert.equal(written.length, 3);
  assert.ok(written.every((text) => text.length <= 66_000));
});

test('no line is lost when the process or a thread exits in the turn of the line', async () => {
  const source = `
    import { Worker, isMainThread } from 'node:worker_threads';
    import { createJsonLog } from ${JSON.stringify(new URL('./log.ts', import.meta.url).href)};
    const log = createJsonLog({ level: 'info', clock: Date.now });
    if (isMainThread) {
      const worker = new Worker(new URL(import.meta.url));
      worker.on('exit', () => {
        log.info('from the process');
        process.exit(0);
      });
    } else {
      log.info('from the thread');
      process.exit(0);
    }`;
  const folder = mkdtempSync(join(tmpdir(), 'tis-log-'));
  const path = join(folder, 'exit.mjs');
  writeFileSync(path, source);
  const { stderr } = spawnSync(process.execPath, [path], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  const messages = stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).msg);
  assert.deepEqual(messages, ['from the thread', 'from the process']);
});
