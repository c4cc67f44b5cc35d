// `tis demo`: the printed commands work when pasted into a shell.

import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { TisProcess, tis } from '../support/command-line.ts';
import { type Answer, send } from '../support/http-client.ts';
import type { Envelope, SearchReply, WireIndicator, WireReceipt } from '../support/wire.ts';

let folder: string;
let demo: TisProcess;
/** The output up to the line about Ctrl-C. */
let text: string;

before(async () => {
  // The demo puts its store into the folder for temporary files.
  folder = await mkdtemp(join(tmpdir(), 'tis-demo-test-'));
  demo = new TisProcess(['demo', '--port', '0'], { env: { TMPDIR: folder } });
  await demo.printed(/Ctrl-C/);
  text = demo.stdout;
});
after(() => rm(folder, { recursive: true }));

/** The printed curl commands. A backslash at the end continues a line. */
function curlCommands(): readonly string[] {
  return text.replaceAll('\\\n', ' ').match(/^curl .*$/gm) ?? [];
}

/** Splits a command into words like a POSIX shell, with the variables printed before it. */
function words(command: string): readonly string[] {
  const variables = new Map([...text.matchAll(/^([A-Z]+)=(\S+)$/gm)].map(([, name, value]) => [name, value]));
  const expand = (part: string) =>
    part.replaceAll(/\$([A-Z]+)/g, (_, name: string) => {
      const value = variables.get(name);
      assert.ok(value, `$${name} was not printed`);
      return value;
    });
  const pieces = command.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  return pieces.map((word) => {
    // Outside quotes a shell would expand these or start another command.
    assert.doesNotMatch(
      word.replaceAll(/'[^']*'|"[^"]*"/g, ''),
      /[?*&;<>[\]|(){}~#]/,
      `${word} wants quotes`,
    );
    return word.replaceAll(/'([^']*)'|"([^"]*)"|([^'"]+)/g, (_, single, double, bare) =>
      single !== undefined ? String(single) : expand(String(double ?? bare)),
    );
  });
}

/** Sends the request of a curl command. */
function run(command: string): Promise<Answer> {
  const [program, ...rest] = words(command);
  assert.equal(program, 'curl');
  const headers: Record<string, string> = {};
  let [url, method, body]: (string | undefined)[] = [];
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] ?? '';
    if (word === '-s') continue;
    if (!word.startsWith('-')) url = word;
    else if (word === '-X') method = rest[++at];
    else if (word === '-d') body = rest[++at];
    else if (word === '-H') {
      const [name = '', ...value] = (rest[++at] ?? '').split(': ');
      headers[name] = value.join(': ');
    } else assert.fail(`curl ${word}`);
  }
  return send(url ?? '', { method: method ?? (body === undefined ? 'GET' : 'POST'), headers, body });
}

/** The answer to the only command whose URL contains this text. */
async function answerTo<Body>(part: RegExp): Promise<Body> {
  const commands = curlCommands().filter((command) => part.test(command));
  assert.equal(commands.length, 1);
  return (await run(commands[0] ?? '')).expect<Body>(200);
}

test('it prints a key, a token and the lines for all there is to try', () => {
  assert.match(text, /^KEY=tis_[0-9A-Za-z]{49}$/m);
  assert.match(text, /^JWT=[\w-]+\.[\w-]+\.[\w-]+$/m);
  assert.ok(curlCommands().length >= 5);
  assert.match(text, /^\d+ events of \d+ example files taken in, \d+ refused$/m);
});

describe('the printed lines', () => {
  test('search finds something', async () => {
    const { indicators } = await answerTo<SearchReply>(/\/v1\/indicators\/search/);
    assert.ok(indicators.length > 0);
    for (const { state } of indicators) assert.equal(state, 'INDICATOR_STATE_ENRICHED');
  });

  test('get and explain show one indicator, whose sightings are of today', async () => {
    const indicator = await answerTo<WireIndicator>(/\/v1\/indicators\/[0-9a-f-]{36}['"]? /);
    assert.equal(indicator.state, 'INDICATOR_STATE_ENRICHED');
    assert.ok(Date.parse(indicator.validUntil ?? '') > Date.now(), 'it is stale');
    const receipt = await answerTo<WireReceipt>(/:explain/);
    assert.equal(receipt.score, indicator.confidenceScore);
  });

  test('one indicator has every field of an enrichment', async () => {
    const [command = ''] = curlCommands().filter((each) => /\/v1\/indicators\/search/.test(each));
    const answer = await run(command.replace(/-d '.*'/, `-d '{"query":"198.51.100.23"}'`));
    const { enrichment } = answer.expect<SearchReply>(200).indicators[0] ?? assert.fail('it is not there');
    const { aiSummary, riskScore, enrichedAt, attackTechniques, ...data } = enrichment ?? assert.fail();
    assert.deepEqual(data, {
      geo: { countryCode: 'NL', city: 'Delft', latitude: 52.01, longitude: 4.36 },
      asn: { number: 64_498, organization: 'Example Cloud' },
      reverseDns: 'vm-23.cloud.example',
      malwareFamilies: ['Mirai'],
    });
    assert.ok(aiSummary !== '' && (riskScore ?? 0) > 0 && attackTechniques.length > 0 && enrichedAt !== '');
  });

  test('verify confirms it', async () => {
    const indicator = await answerTo<WireIndicator>(/:verify/);
    assert.equal(indicator.state, 'INDICATOR_STATE_VERIFIED');
  });

  test('the feed has objects', async () => {
    const { objects = [] } = await answerTo<Envelope>(/\/taxii2\//);
    assert.ok(objects.some(({ type }) => type === 'indicator'));
  });

  test('every one of them answers 200', async () => {
    for (const command of curlCommands()) assert.equal((await run(command)).status, 200, command);
  });
});

test('a port in use is one line, and nothing is left behind', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const temporary = await readdir(folder);
  const { code, stderr } = await tis(['demo', '--port', String(port)], { env: { TMPDIR: folder } });
  await new Promise((resolve) => server.close(resolve));
  assert.ok(code !== null && code > 0);
  assert.match(stderr, new RegExp(`^tis: port ${port} is in use[^\n]*\n$`));
  assert.deepEqual(await readdir(folder), temporary);
});

test('Ctrl-C ends it, and its store is thrown away', async () => {
  const { code, stderr } = await demo.kill('SIGINT');
  assert.deepEqual([code, stderr], [0, '']);
  assert.deepEqual(await readdir(folder), []);
});
