// `npx node bench/markings.ts [visible] [hidden] [pairs]`: what a reader can tell by time from what is hidden above its
// ceiling. Two services have the same GREEN indicators. One of them also has many RED ones, received in between. A GREEN
// reader asks both the same, in pairs, and the script prints by how much the times of the two differ.
//
// The sign test counts the pairs in which the service with the hidden indicators was slower. Without an effect its z is
// within -1.96 and 1.96 in 19 of 20 runs.

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { type Server, startTis, tisJson } from './processes.ts';
import { seededRandom } from './random.ts';

const visible = Number(process.argv[2] ?? 10_000);
const hidden = Number(process.argv[3] ?? 100_000);
const pairs = Number(process.argv[4] ?? 10_000);

interface Side {
  readonly server: Server;
  readonly headers: Readonly<Record<string, string>>;
  readonly ids: readonly string[];
}

interface Question {
  readonly name: string;
  ask(side: Side, number: number): Promise<Response>;
}

const post = ({ server, headers }: Side, body: object) =>
  fetch(`http://127.0.0.1:${server.port}/v1/indicators/search`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const get = ({ server, headers }: Side, path: string) =>
  fetch(`http://127.0.0.1:${server.port}${path}`, { headers });

const QUESTIONS: readonly Question[] = [
  {
    name: 'get by id',
    ask: (side, number) => get(side, `/v1/indicators/${side.ids[number % side.ids.length]}`),
  },
  { name: 'search, newest 20', ask: (side) => post(side, { pagination: { pageSize: 20 } }) },
  {
    name: 'search, one tag',
    ask: (side, number) =>
      post(side, { pagination: { pageSize: 20 }, filter: { tags: [`site-${number % 50}`] } }),
  },
  {
    name: 'search, a word',
    ask: (side, number) => post(side, { pagination: { pageSize: 20 }, query: `host-${number % 400}.` }),
  },
  {
    name: 'feed, page of 100',
    ask: (side) => get(side, '/taxii2/collections/service-global-feed/objects/?limit=100'),
  },
];

const folder = await mkdtemp(join(tmpdir(), 'tis-markings-'));
try {
  console.log(`${visible} visible indicators; ${hidden} hidden ones on one side; ${pairs} pairs\n`);
  await using plain = await openSide('plain', 0);
  await using mixed = await openSide('mixed', hidden);
  for (const question of QUESTIONS)
    await compare(question, plain, mixed, Math.ceil(pairs / QUESTIONS.length));
  await compareDates(plain, mixed);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** A service with the indicators in it, and a GREEN reader of it. */
async function openSide(name: string, count: number): Promise<Side & AsyncDisposable> {
  const file = join(folder, `${name}.jsonl`);
  await writeReports(file, count);
  const data = ['--data-dir', join(folder, name)];
  await tisJson('ingest', file, ...data);
  const { key } = await tisJson<{ key: string }>(
    ...['keys', 'create', '--name', 'reader', '--tlp-ceiling', 'GREEN', ...data],
  );
  const server = await startTis(join(folder, name));
  const side = { server, headers: { authorization: `Bearer ${key}` }, ids: [] as string[] };
  const page = (await (await post(side, { pagination: { pageSize: 1_000 } })).json()) as {
    indicators: { id: string }[];
  };
  side.ids.push(...page.indicators.map(({ id }) => id));
  return { ...side, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** The visible reports, and hidden ones spread evenly between them. */
async function writeReports(path: string, count: number): Promise<void> {
  const out = createWriteStream(path);
  const between = count / visible;
  let written = 0;
  for (let index = 0; index < visible; index++) {
    const lines = [reportOf(index, 'GREEN')];
    for (; written < between * (index + 1); written++) lines.push(reportOf(visible + written, 'RED'));
    if (!out.write(lines.join(''))) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
}

function reportOf(index: number, tlp: string): string {
  return `${JSON.stringify({
    eventId: `report-${index}`,
    sensorId: `sensor-${index % 40}`,
    sensorType: 'SENSOR_TYPE_ICS',
    protocol: 'PROTOCOL_MODBUS',
    value: `host-${index}.example.net`,
    observedAt: new Date(Date.now() - (index % 1_000) * 60_000).toISOString(),
    tags: [`site-${index % 50}`],
    tlp: `TLP_MARKING_${tlp}`,
  })}\n`;
}

async function compare({ name, ask }: Question, plain: Side, mixed: Side, count: number): Promise<void> {
  const random = seededRandom(1);
  const times = { plain: [] as number[], mixed: [] as number[] };
  let slower = 0;
  for (let number = -200; number < count; number++) {
    const order = random() < 0.5 ? (['plain', 'mixed'] as const) : (['mixed', 'plain'] as const);
    const taken = { plain: 0, mixed: 0 };
    for (const side of order) {
      const started = performance.now();
      const answer = await ask(side === 'plain' ? plain : mixed, Math.abs(number));
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
      taken[side] = performance.now() - started;
    }
    if (number < 0) continue;
    times.plain.push(taken.plain);
    times.mixed.push(taken.mixed);
    if (taken.mixed > taken.plain) slower += 1;
  }
  const z = (slower - count / 2) / Math.sqrt(count / 4);
  console.log(
    `${name.padEnd(20)} median ${median(times.plain).toFixed(3)} ms, with hidden ${median(times.mixed).toFixed(3)} ms; ` +
      `slower in ${slower} of ${count} pairs, z = ${z.toFixed(2)}`,
  );
}

/** The gaps between the dates of the newest visible objects. */
async function compareDates(plain: Side, mixed: Side): Promise<void> {
  const gaps = { plain: await gapsOf(plain), mixed: await gapsOf(mixed) };
  for (const [name, list] of Object.entries(gaps)) {
    const inMilliseconds = list.map((gap) => gap / 1_000);
    const share = inMilliseconds.filter((gap) => gap === 1).length / inMilliseconds.length;
    console.log(
      `date_added, ${name.padEnd(6)} median gap ${median(inMilliseconds)} ms, exactly 1 ms in ${(100 * share).toFixed(1)} %`,
    );
  }
}

async function gapsOf(side: Side): Promise<number[]> {
  const dates: number[] = [];
  let next = '';
  do {
    const path = `/taxii2/collections/service-global-feed/manifest/?limit=5000${next === '' ? '' : `&next=${next}`}`;
    const page = (await (await get(side, path)).json()) as {
      next?: string;
      objects: { date_added: string }[];
    };
    for (const { date_added: date } of page.objects)
      dates.push(Date.parse(`${date.slice(0, 23)}Z`) * 1_000 + Number(date.slice(23, 26)));
    next = page.next ?? '';
  } while (next !== '');
  return dates.slice(1).map((date, index) => date - (dates[index] ?? 0));
}

function median(list: readonly number[]): number {
  return list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN;
}
