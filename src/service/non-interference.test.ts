// Non-interference: what lies above the ceiling of a reader changes nothing that he is told. Random histories run in two
// services at once. One of them never gets the reports above the ceiling. Every answer to the reader must be the same in
// both, up to opaque tokens.
//
// `npm run markings -- --histories 2000` runs more of them.

import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { after, before, describe, mock, test } from 'node:test';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { CEILINGS } from '../domain/audience.ts';
import { ICS_COLLECTION, SERVICE_GLOBAL_FEED } from '../domain/collection.ts';
import { DAY, HOUR, toRfc3339 } from '../domain/instant.ts';
import { isVisible } from '../domain/tlp.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import {
  type Answer,
  type Installation,
  MarkedWorld,
  makeInstallation,
} from './marked-world.test-support.ts';

const { values: flags } = parseArgs({
  options: { histories: { type: 'string', default: '8' }, seed: { type: 'string', default: '20260314' } },
  strict: false,
});

const VALUES = ['203.0.113.7', '203.0.113.0/24', 'c2.example.com', 'http://evil.example.net/a'];
const FIRST = Date.UTC(2026, 2, 14, 9);

type Step =
  | { readonly do: 'report'; readonly events: readonly Report[] }
  | { readonly do: 'work' | 'compact' | 'prune' | 'restart' }
  | { readonly do: 'verify'; readonly value: number; readonly ceiling: TlpMarking }
  | { readonly do: 'dispute' | 'undo' | 'note'; readonly value: number; readonly ceiling: TlpMarking }
  | { readonly do: 'withdraw'; readonly value: number }
  | { readonly do: 'pass'; readonly ms: number };

interface Report {
  readonly value: number;
  readonly tlp: TlpMarking;
  /** Of the sensor that reports it, which is at least the marking. */
  readonly ceiling: TlpMarking;
  readonly sensor: string;
  readonly severity: string;
  readonly tag: string;
  readonly user: string;
  readonly session: string;
  readonly peer: number | undefined;
  readonly hoursAgo: number;
}

const marking = fc.constantFrom(...CEILINGS);
const value = fc.nat({ max: VALUES.length - 1 });
const report: fc.Arbitrary<Report> = fc
  .record({
    value,
    one: marking,
    other: marking,
    sensor: fc.constantFrom('plc-1', 'plc-2'),
    severity: fc.constantFrom('LOW', 'HIGH'),
    tag: fc.constantFrom('', 'mirai', 'water'),
    user: fc.constantFrom('root', 'admin'),
    session: fc.constantFrom('', 's1', 's2'),
    peer: fc.constantFrom(undefined, 0, 1),
    hoursAgo: fc.nat({ max: 40 }),
  })
  .map(({ one, other, ...rest }) =>
    isVisible(one, other) ? { ...rest, tlp: one, ceiling: other } : { ...rest, tlp: other, ceiling: one },
  );
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .array(report, { minLength: 1, maxLength: 4 })
      .map((events) => ({ do: 'report', events }) as const),
  },
  { weight: 4, arbitrary: fc.constant({ do: 'work' } as const) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('verify' as const), value, ceiling: marking }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('withdraw' as const), value }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('dispute' as const, 'undo' as const, 'note' as const),
      value,
      ceiling: marking,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('compact', 'prune', 'restart').map((name) => ({ do: name }) as const),
  },
  { weight: 2, arbitrary: fc.constantFrom(0, 1, HOUR, 3 * DAY).map((ms) => ({ do: 'pass', ms }) as const) },
);

describe('readers with different ceilings', () => {
  let installation: Installation;

  before(async () => {
    // Of this suite alone: other files run in the same process.
    mock.timers.enable({ apis: ['Date'], now: FIRST });
    installation = await makeInstallation();
  });
  after(async () => {
    mock.timers.reset();
    await rm(installation.folder, { recursive: true });
  });

  test('nothing above the ceiling of a reader changes an answer to him', async (context) => {
    let histories = 0;
    const property = fc.asyncProperty(marking, fc.array(step, { maxLength: 14 }), async (ceiling, steps) => {
      histories += 1;
      mock.timers.setTime(FIRST + 1_000);
      const real = await MarkedWorld.open(installation);
      const shadow = await MarkedWorld.open(installation);
      try {
        await new History(real, shadow, ceiling).run(steps);
      } finally {
        await real.close();
        await shadow.close();
      }
    });
    await fc.assert(property, { numRuns: Number(flags.histories), seed: Number(flags.seed) });
    context.diagnostic(`${histories} histories`);
  });
});

/** One history in two services. */
class History {
  readonly #real: MarkedWorld;
  readonly #shadow: MarkedWorld;
  readonly #ceiling: TlpMarking;
  /** The ids of indicators, by value. */
  readonly #ids = new Map<number, string>();
  /** Values that were withdrawn before the reader could know them. A withdrawal is a verdict on the value. */
  readonly #withdrawn = new Set<number>();
  #events = 0;

  constructor(real: MarkedWorld, shadow: MarkedWorld, ceiling: TlpMarking) {
    this.#real = real;
    this.#shadow = shadow;
    this.#ceiling = ceiling;
  }

  async run(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      mock.timers.tick(7);
      await this.#take(step);
    }
    await this.#compare();
    await this.#real.work();
    await this.#shadow.work();
    await this.#compare();
  }

  async #take(step: Step): Promise<void> {
    switch (step.do) {
      case 'report':
        for (const one of step.events) await this.#report(one);
        break;
      case 'work':
        await this.#real.work();
        await this.#shadow.work();
        break;
      case 'compact':
        await this.#real.compact();
        await this.#shadow.compact();
        break;
      case 'prune':
        await this.#real.prune();
        await this.#shadow.prune();
        break;
      case 'restart':
        await this.#real.restart();
        await this.#shadow.restart();
        break;
      case 'verify': {
        const id = this.#ids.get(step.value);
        if (id === undefined) break;
        const results = [
          await this.#real.verify(id, step.ceiling),
          await this.#shadow.verify(id, step.ceiling),
        ];
        if (isVisible(step.ceiling, this.#ceiling)) assert.equal(results[0], results[1]);
        break;
      }
      case 'withdraw': {
        const id = this.#ids.get(step.value);
        if (id === undefined) break;
        await this.#real.withdraw(id);
        if (!(await this.#shadow.withdraw(id))) this.#withdrawn.add(step.value);
        break;
      }
      case 'dispute':
      case 'undo':
      case 'note':
        await this.#judge(step);
        break;
      case 'pass':
        mock.timers.tick(step.ms);
    }
  }

  /** A dispute is a verdict on the value. A note above the ceiling does not exist for the reader. */
  async #judge({ do: act, value, ceiling }: Extract<Step, { readonly do: 'dispute' | 'undo' | 'note' }>) {
    const id = this.#ids.get(value);
    if (id === undefined) return;
    if (act === 'note') {
      // In the other service nobody reads the reports above the ceiling, so nobody writes of them.
      const told = await this.#real.note(id, ceiling, `seen by ${ceiling}`);
      if (!isVisible(ceiling, this.#ceiling)) return;
      assert.equal(await this.#shadow.note(id, ceiling, `seen by ${ceiling}`), told);
      return;
    }
    // A view that is made later is disputed from its start, which its readers may learn (0058).
    if (await this.#shadow.dispute(id, this.#ceiling, act === 'undo'))
      assert.ok(await this.#real.dispute(id, this.#ceiling, act === 'undo'));
  }

  async #report(one: Report): Promise<void> {
    const event = {
      eventId: `event-${this.#events++}`,
      sensorId: one.sensor,
      sensorType: 'SENSOR_TYPE_ICS',
      protocol: 'PROTOCOL_MODBUS',
      value: VALUES[one.value],
      observedAt: toRfc3339(Date.now() - one.hoursAgo * HOUR),
      severity: `SEVERITY_${one.severity}`,
      evidence: {
        'login.user': one.user,
        'command.input': `echo ${one.hoursAgo} ${one.tlp}`,
        'session.id': one.session,
        ...(one.peer === undefined ? {} : { 'peer.address': VALUES[one.peer] }),
      },
      tags: one.tag === '' ? [] : [one.tag],
      tlp: `TLP_MARKING_${one.tlp}`,
    };
    const answer = await this.#real.report(one.ceiling, [event]);
    assert.equal(answer.status, 200, answer.body);
    this.#ids.set(one.value, JSON.parse(answer.body).results[0].indicatorId);
    if (!isVisible(one.tlp, this.#ceiling)) return;
    const expected = await this.#shadow.report(one.ceiling, [event]);
    if (this.#withdrawn.delete(one.value)) {
      await this.#shadow.withdraw(this.#ids.get(one.value) ?? '');
      return;
    }
    if (isVisible(one.ceiling, this.#ceiling)) assert.deepEqual(answer.body, expected.body);
  }

  async #compare(): Promise<void> {
    const ask = async (world: MarkedWorld) => {
      const answers: unknown[] = [];
      for (const body of SEARCHES) answers.push(...(await walkSearch(world, this.#ceiling, body)));
      for (const body of AGGREGATES)
        answers.push(shown(await world.post(this.#ceiling, '/v1/indicators:aggregate', body)));
      answers.push(shown(await world.post(this.#ceiling, '/v1/indicators:lookup', { values: LOOKED_UP })));
      for (const id of this.#ids.values()) {
        for (const path of ['', ':explain', ':history', ':evidence', ':related?hops=2'])
          answers.push(shown(await world.get(this.#ceiling, `/v1/indicators/${id}${path}`)));
        for (const path of [`objects/indicator--${id}/`, `objects/indicator--${id}/versions/`])
          answers.push(shown(await world.get(this.#ceiling, `${FEED}${path}?match[version]=all`)));
      }
      for (const feed of [FEED, ICS]) {
        for (const path of [
          'objects/?limit=3',
          'objects/?limit=2&match[version]=all',
          'manifest/?limit=3',
          'objects/?match[version]=first',
          'objects/?match[type]=sighting,relationship&match[version]=all',
        ])
          answers.push(...(await walkFeed(world, this.#ceiling, `${feed}${path}`)));
      }
      answers.push(await world.watched(this.#ceiling), await world.activity(this.#ceiling));
      return answers;
    };
    const [told, expected] = [await ask(this.#real), await ask(this.#shadow)];
    assert.deepEqual(told, expected);
  }
}

const FEED = `/taxii2/collections/${SERVICE_GLOBAL_FEED.id}/`;
const ICS = `/taxii2/collections/${ICS_COLLECTION.id}/`;

/** The values, and what is around, above and inside them. */
const LOOKED_UP = [...VALUES, '203.0.113.99', 'www.c2.example.com', 'http://203.0.113.7:8080/x', 'no value'];

const AGGREGATES = [
  { histogramTime: 'HISTOGRAM_TIME_LAST_SEEN', histogramBucket: 'USAGE_BUCKET_HOUR' },
  { filter: { intents: ['INTENT_UNSPECIFIED'], attackTechniques: ['T0846'] }, query: '203.0.113.7' },
];

const SEARCHES = [
  { orderBy: 'SEARCH_ORDER_LAST_SEEN' },
  { orderBy: 'SEARCH_ORDER_CONFIDENCE' },
  { filter: { labels: ['intent'], intents: ['INTENT_READ', 'INTENT_UNSPECIFIED'] } },
  { pagination: { pageSize: 2 } },
  { filter: { minConfidenceScore: 40 } },
  { filter: { tags: ['mirai'], states: ['INDICATOR_STATE_ENRICHED'] }, query: 'example' },
];

async function walkSearch(world: MarkedWorld, ceiling: TlpMarking, body: object): Promise<unknown[]> {
  const answers: unknown[] = [];
  let pageToken = '';
  do {
    const pagination = { pageSize: 2, ...(pageToken === '' ? {} : { pageToken }) };
    const answer = await world.search(ceiling, { ...body, pagination });
    assert.equal(answer.status, 200, answer.body);
    const page = JSON.parse(answer.body);
    pageToken = page.pagination?.nextPageToken ?? page.nextPageToken ?? '';
    answers.push(shown(answer));
  } while (pageToken !== '');
  return answers;
}

async function walkFeed(world: MarkedWorld, ceiling: TlpMarking, url: string): Promise<unknown[]> {
  const answers: unknown[] = [];
  let next: string | undefined;
  let last: string | undefined;
  do {
    const answer = await world.get(ceiling, next === undefined ? url : `${url}&next=${next}`);
    assert.equal(answer.status, 200, answer.body);
    next = JSON.parse(answer.body).next;
    last ??= String(answer.headers['x-taxii-date-added-last'] ?? '');
    answers.push(shown(answer));
  } while (next !== undefined);
  // A client that goes on by date after its first page.
  if (last !== '') answers.push(shown(await world.get(ceiling, `${url}&added_after=${last}`)));
  return answers;
}

/** What a reader can see of an answer: status, body and headers, without opaque tokens and the count of his requests. */
function shown({ status, headers, body }: Answer): unknown {
  const {
    ratelimit,
    'ratelimit-policy': policy,
    date,
    'x-request-id': id,
    etag,
    'content-length': length,
    ...rest
  } = headers;
  assert.ok([ratelimit, policy, date, id, length].length > 0);
  const withoutTokens = body.replace(/"(next|nextPageToken|error_id)":"[^"]+"/g, '"$1":"…"');
  return { status, headers: rest, body: withoutTokens, ...(body.includes('"next":') ? {} : { etag }) };
}
