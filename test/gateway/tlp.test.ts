// TLP ceilings: an indicator above the ceiling of a caller appears in no search, count, read, feed or error message, and
// changes nothing else that the caller sees. Here all reports of an indicator have one marking.
// src/service/non-interference.test.ts mixes them.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { Answer, RestClient } from '../support/http-client.ts';
import { OPERATIONS, pathOf } from '../support/operations.ts';
import { RunningService } from '../support/running-service.ts';
import { anEvent, daysAgo } from '../support/sensor-events.ts';
import { COLLECTION, TaxiiClient } from '../support/taxii-client.ts';
import type { StixObject, WireEvent, WireIndicator } from '../support/wire.ts';

/** In ascending order. A caller sees its own ceiling and all markings before it. */
const MARKINGS = ['CLEAR', 'GREEN', 'AMBER', 'AMBER_STRICT', 'RED'] as const;
type Marking = (typeof MARKINGS)[number];
const POPULATION = 120;
const RUNS = 60;
/** A well-formed id without an indicator. */
const UNKNOWN = '6f9619ff-8b86-4011-b42d-00c04fc964ff';

const PROTOCOLS = ['PROTOCOL_MODBUS', 'PROTOCOL_S7', 'PROTOCOL_SSH', 'PROTOCOL_HTTP'];
const TAGS = ['pump', 'valve', 'campaign-7'];
const CATEGORIES = ['THREAT_CATEGORY_SCANNER', 'THREAT_CATEGORY_BOTNET', 'THREAT_CATEGORY_MALWARE'];
const SEVERITIES = ['SEVERITY_INFO', 'SEVERITY_LOW', 'SEVERITY_MEDIUM', 'SEVERITY_HIGH', 'SEVERITY_CRITICAL'];

/** Every operation that reads one indicator. */
const READS = OPERATIONS.filter(
  ({ method, template }) => method === 'GET' && template.startsWith('/v1/indicators/{id}'),
);

let service: RunningService;
let writer: RestClient;
let writerId: string;
const readers = new Map<Marking, RestClient>();
const pollers = new Map<Marking, TaxiiClient>();
let analyst: RestClient;
/** The whole population, newest first. */
let everything: readonly WireIndicator[];

const reader = (ceiling: Marking): RestClient => readers.get(ceiling)!;
const poller = (ceiling: Marking): TaxiiClient => pollers.get(ceiling)!;
const markingOf = ({ tlp }: WireIndicator): Marking => tlp.replace('TLP_MARKING_', '') as Marking;
const sees = (ceiling: Marking, marking: Marking): boolean =>
  MARKINGS.indexOf(marking) <= MARKINGS.indexOf(ceiling);

before(async () => {
  service = await RunningService.start();
  const issued = await service.issue({ name: 'writer', scopes: ['events:write'], tlpCeiling: 'RED' });
  writer = service.as(issued.plaintext);
  writerId = issued.key.id;
  for (const ceiling of MARKINGS) {
    const key = await service.key({ name: ceiling, tlpCeiling: ceiling });
    readers.set(ceiling, service.as(key));
    pollers.set(ceiling, new TaxiiClient(() => service.url, key));
  }
  analyst = service.as(service.token('indicators:read indicators:verify', { tlp_ceiling: 'GREEN' }));
  const made = fc
    .sample(observation, { seed: 7, numRuns: POPULATION })
    .map((members, index) => ({ ...members, value: `2001:db8:1::${index.toString(16)}` }));
  await writer.ingest(made.map((members) => anEvent(members)));
  await service.settled();
  everything = (await reader('RED').search({ page_size: 1_000 })).indicators;
  assert.equal(everything.length, POPULATION);
});
after(() => service.dispose());

const observation: fc.Arbitrary<Partial<WireEvent>> = fc.record({
  tlp: fc.constantFrom(...MARKINGS).map((marking) => `TLP_MARKING_${marking}`),
  protocol: fc.constantFrom(...PROTOCOLS),
  sensorType: fc.constantFrom('SENSOR_TYPE_ICS', 'SENSOR_TYPE_NETWORK'),
  severity: fc.constantFrom(...SEVERITIES),
  tags: fc.subarray(TAGS),
  categories: fc.subarray(CATEGORIES),
  observedAt: fc.nat({ max: 60 }).map(daysAgo),
  source: fc.record({ id: fc.constantFrom('plant', 'partner', 'sector') }),
  evidence: fc.constant({}),
});

const filter = fc.record(
  {
    types: fc.constantFrom(['INDICATOR_TYPE_IPV6'], ['INDICATOR_TYPE_IPV4'], []),
    protocols: fc.subarray(PROTOCOLS),
    categories: fc.subarray(CATEGORIES),
    minSeverity: fc.constantFrom(...SEVERITIES),
    minConfidence: fc.nat({ max: 60 }),
    states: fc.constantFrom(
      ['INDICATOR_STATE_ENRICHED'],
      ['INDICATOR_STATE_RAW', 'INDICATOR_STATE_ENRICHED'],
    ),
    tags: fc.subarray(TAGS),
    /** As the writer names them. */
    sourceIds: fc.subarray(['plant', 'partner', 'sector']),
    lastSeenWindow: fc.record({ start: fc.nat({ max: 60 }).map(daysAgo) }),
  },
  { requiredKeys: [] },
);
const query = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  fc.constantFrom('pump', '2001:db8', 'campaign', 'modbus', 'db8:1'),
);
const ceiling = fc.constantFrom(...MARKINGS);

describe('a caller of any ceiling', () => {
  it('finds, in every search, what the most trusted finds, less what is above', async () => {
    const search = fc.record({ filter, query });
    await fc.assert(
      fc.asyncProperty(search, ceiling, fc.integer({ min: 1, max: 50 }), async (drawn, mine, pageSize) => {
        const sourceIds = drawn.filter.sourceIds?.map((id) => `${writerId}#${id}`) ?? [];
        const asked = { ...drawn, filter: { ...drawn.filter, sourceIds } };
        const all = (await reader('RED').search({ ...asked, page_size: 1_000 })).indicators;
        const visible = all.filter((indicator) => sees(mine, markingOf(indicator)));
        const found: WireIndicator[] = [];
        let pageToken = '';
        do {
          const page = await reader(mine).search({ ...asked, pagination: { pageSize, pageToken } });
          assert.equal(page.pageInfo.totalCount, String(visible.length));
          found.push(...page.indicators);
          pageToken = page.pageInfo.nextPageToken;
        } while (pageToken !== '');
        assert.deepEqual(found, visible);
      }),
      { numRuns: RUNS },
    );
  });

  it('reads and explains what is visible, and of the rest learns what an unknown id tells', async () => {
    for (const mine of MARKINGS) {
      for (const { id, tlp } of everything.filter((_, index) => index % 4 === 0)) {
        const visible = sees(mine, tlp.replace('TLP_MARKING_', '') as Marking);
        for (const operation of READS) {
          const answer = await reader(mine).send(pathOf(operation, id));
          assert.equal(answer.status, visible ? 200 : 404);
          if (!visible) assertSame(answer, await reader(mine).send(pathOf(operation, UNKNOWN)), id);
        }
      }
    }
  });

  it('walks the feed that the most trusted walks, less what is above', async () => {
    const all = (await poller('RED').objects()).items;
    const manifest = (await poller('RED').manifest()).items;
    for (const mine of MARKINGS) {
      const visible = all.filter((object) => isVisible(object, mine));
      const { items } = await poller(mine).objects({ limit: 37 });
      assert.deepEqual(items, visible);
      const ids = new Set(visible.map(({ id }) => id));
      // The dates are of the reader's own feed, so that gaps between them do not count what is hidden.
      assert.deepEqual(
        (await poller(mine).manifest({ limit: 41 })).items.map(undated),
        manifest.filter(({ id }) => ids.has(id)).map(undated),
      );
      // No object mentions a hidden indicator.
      const text = JSON.stringify(items);
      for (const { id, value } of everything.filter((one) => !sees(mine, markingOf(one)))) {
        assert.ok(!text.includes(id) && !text.includes(`'${value}'`), value);
      }
    }
  });
});

function undated({ date_added: _date, ...entry }: { readonly date_added: string }): object {
  return entry;
}

/** Markings of TLP 2, as the standard names them. */
const MARKING_REFS = new Map<string, Marking>([
  ['marking-definition--94868c89-83c2-464b-929b-a1a8aa3c8487', 'CLEAR'],
  ['marking-definition--bab4a63c-aed9-4cf5-a766-dfca5abac2bb', 'GREEN'],
  ['marking-definition--55d920b0-5e8b-4f79-9ee9-91f868d9b421', 'AMBER'],
  ['marking-definition--939a9414-2ddd-4d32-a0cd-375ea402b003', 'AMBER_STRICT'],
  ['marking-definition--e828b379-4e03-4974-9ac4-e53a884c97c1', 'RED'],
]);

function isVisible({ object_marking_refs: refs = [] }: StixObject, ceiling: Marking): boolean {
  return (refs as readonly string[]).every((ref) => sees(ceiling, MARKING_REFS.get(ref) ?? 'CLEAR'));
}

describe('what is hidden', () => {
  const hidden = () => everything.find((indicator) => markingOf(indicator) === 'RED')!;

  it('can not be confirmed, and not be told from what is not there', async () => {
    for (const body of [{}, { note: 'x' }, '{"broken', { note: 7 }]) {
      const parts = { method: 'POST', body };
      const answer = await analyst.send(`/v1/indicators/${hidden().id}:verify`, parts);
      assert.notEqual(answer.status, 200);
      assertSame(answer, await analyst.send(`/v1/indicators/${UNKNOWN}:verify`, parts), hidden().id);
    }
  });

  it('is in TAXII what is not there', async () => {
    const taxii = poller('AMBER');
    for (const path of [
      '/',
      '/versions/',
      '/?match[version]=all',
      '/?added_after=2020-01-01T00:00:00Z',
      '/?limit=0',
    ]) {
      const of = (id: string) => taxii.get(`${COLLECTION}/objects/indicator--${id}${path}`);
      assertSame(await of(hidden().id), await of(UNKNOWN), hidden().id);
    }
    for (const listing of ['objects', 'manifest']) {
      const of = (id: string) => taxii.list(listing, { 'match[id]': `indicator--${id}` });
      assertSame(await of(hidden().id), await of(UNKNOWN), hidden().id);
    }
  });

  it('changes no byte of what others are answered', async () => {
    const requests = [
      ...fc.sample(fc.record({ filter, query }), { seed: 11, numRuns: 30 }),
      ...[1, 7, 50].map((page_size) => ({ page_size })),
    ];
    // The compressed length of another cursor may differ by a byte.
    const list = (mine: Marking, listing: string, parameters: Record<string, string> = {}) =>
      poller(mine).get(`${COLLECTION}/${listing}/?${new URLSearchParams(parameters)}`, {
        'accept-encoding': 'identity',
      });
    const ask = async () => {
      const answers: Answer[] = [];
      for (const mine of ['CLEAR', 'GREEN', 'AMBER'] as const) {
        for (const body of requests) {
          answers.push(await reader(mine).send('/v1/indicators/search', { method: 'POST', body }));
        }
        for (const listing of ['objects', 'manifest']) {
          answers.push(await list(mine, listing), await list(mine, listing, { limit: '9' }));
          answers.push(await list(mine, listing, { 'match[version]': 'all' }));
          answers.push(await list(mine, listing, { 'match[type]': 'attack-pattern,identity,malware' }));
        }
        answers.push(await list(mine, 'objects', { added_after: '2100-01-01T00:00:00Z' }));
      }
      return answers.map(lasting);
    };
    const before = await ask();
    await writer.ingest(
      ['AMBER_STRICT', 'RED'].flatMap((marking) => [
        anEvent({
          tlp: `TLP_MARKING_${marking}`,
          source: { id: `source-${marking}` },
          tags: [...TAGS, `tag-${marking}`],
        }),
        // A protocol, and so techniques, that no visible indicator has.
        anEvent({
          tlp: `TLP_MARKING_${marking}`,
          protocol: 'PROTOCOL_DNP3',
          evidence: { 'dnp3.function_code': '13' },
        }),
      ]),
    );
    await service.settled();
    assert.equal((await reader('RED').search({})).pageInfo.totalCount, String(POPULATION + 4));
    const after = await ask();
    for (const [index, answer] of after.entries())
      assert.deepEqual(answer, before[index], `request ${index}`);
  });
});

/** Equal apart from the requested id. */
function assertSame(answer: Answer, unknown: Answer, id: string): void {
  const [one, other] = [lasting(answer), lasting(unknown)];
  assert.deepEqual({ ...one, text: one.text.replaceAll(id, UNKNOWN) }, other);
}

/** The parts of an answer that are the same in every answer to the same request. */
function lasting({ status, headers, text }: Answer): { status: number; headers: object; text: string } {
  const own = new Set(['date', 'x-request-id', 'ratelimit', 'keep-alive', 'connection']);
  const requestId = headers.get('x-request-id') ?? '';
  return {
    status,
    headers: Object.fromEntries([...headers].filter(([name]) => !own.has(name))),
    // Every page has a new token.
    text: text.replaceAll(requestId, '').replace(/"(next|nextPageToken)":"[^"]+"/, '"$1":"…"'),
  };
}
