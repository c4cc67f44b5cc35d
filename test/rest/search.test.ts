// POST /v1/indicators/search: filters in every spelling, free text, paging, ceilings.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { RestClient } from '../support/http-client.ts';
import { RunningService } from '../support/running-service.ts';
import { anEvent, daysAgo, events } from '../support/sensor-events.ts';
import type { RpcStatus, SearchReply, WireEvent } from '../support/wire.ts';

const SEARCH = '/v1/indicators/search';

/** One indicator for each value that a filter distinguishes, in the order of their ingestion. */
const POPULATION: Readonly<Record<string, Partial<WireEvent>>> = {
  coil: {
    value: '192.0.2.10',
    tags: ['pump', 'Plant A'],
    evidence: { 'modbus.function_code': '5' },
    observedAt: daysAgo(1),
  },
  stop: {
    value: '192.0.2.11',
    protocol: 'PROTOCOL_S7',
    tags: ['pump'],
    severity: 'SEVERITY_CRITICAL',
    evidence: {},
    observedAt: daysAgo(2),
  },
  login: {
    value: '2001:db8::22',
    protocol: 'PROTOCOL_SSH',
    sensorType: 'SENSOR_TYPE_NETWORK',
    categories: ['THREAT_CATEGORY_BRUTE_FORCE', 'THREAT_CATEGORY_BOTNET'],
    severity: 'SEVERITY_LOW',
    evidence: {},
    observedAt: daysAgo(3),
  },
  domain: {
    value: 'update.c2.example.net',
    protocol: 'PROTOCOL_UNSPECIFIED',
    sensorType: 'SENSOR_TYPE_ENDPOINT',
    categories: ['THREAT_CATEGORY_COMMAND_AND_CONTROL'],
    severity: 'SEVERITY_MEDIUM',
    source: { id: 'partner-1', name: 'Partner', reliability: 0.2 },
    evidence: {},
    observedAt: daysAgo(40),
  },
  hash: {
    value: '9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F00A08',
    protocol: 'PROTOCOL_UNSPECIFIED',
    sensorType: 'SENSOR_TYPE_UNSPECIFIED',
    severity: 'SEVERITY_INFO',
    evidence: {},
    observedAt: daysAgo(100),
  },
};

let service: RunningService;
let reader: RestClient;
/** Name of the population by indicator value. */
const nameOf = new Map<string, string>();
/** Id of the key that reports everything. */
let writerId: string;

before(async () => {
  service = await RunningService.start();
  reader = service.as(await service.key());
  const { key, plaintext } = await service.issue({ name: 'writer', sensor: true });
  writerId = key.id;
  const writer = service.as(plaintext);
  for (const [name, members] of Object.entries(POPULATION)) {
    const { value } = members;
    const { results } = await writer.ingest([anEvent(members)]);
    assert.equal(results[0]?.status, 'ACCEPTED', value);
    nameOf.set((await reader.get(results[0]!.indicatorId)).value, name);
  }
  await service.settled();
});
after(() => service.dispose());

/** The names that a search finds, in its order. */
async function found(request: object): Promise<readonly string[]> {
  const { indicators, pageInfo } = await reader.search(request);
  assert.equal(pageInfo.totalCount, String(indicators.length));
  return indicators.map(({ value }) => nameOf.get(value) ?? value);
}

async function post(body: unknown, client = reader): Promise<RpcStatus> {
  const answer = await client.send(SEARCH, { method: 'POST', body });
  return answer.expect<RpcStatus>(400);
}

test('without a filter everything comes, newest first, on one page', async () => {
  const everything = ['hash', 'domain', 'login', 'stop', 'coil'];
  for (const request of [
    {},
    { filter: {} },
    { filter: null, pagination: null, query: null },
    { query: ' ' },
  ]) {
    assert.deepEqual(await found(request), everything);
  }
  const answer = await reader.send(SEARCH, { method: 'POST', body: {} });
  const { indicators, pageInfo } = answer.expect<SearchReply>(200);
  assert.equal(indicators.length, everything.length);
  assert.deepEqual(pageInfo, { nextPageToken: '', totalCount: '5' });
  // Compared as instants, because RFC 3339 text leaves out a zero fraction.
  const created = indicators.map(({ createdAt }) => Date.parse(createdAt));
  assert.deepEqual(
    created,
    created.toSorted((a, b) => b - a),
  );
});

describe('filters', () => {
  const cases: readonly (readonly [filter: object, expected: readonly string[]])[] = [
    [{ types: ['INDICATOR_TYPE_IPV4'] }, ['stop', 'coil']],
    [{ types: ['INDICATOR_TYPE_IPV6', 'INDICATOR_TYPE_DOMAIN'] }, ['domain', 'login']],
    [{ types: [2, 7] }, ['hash', 'login']],
    [{ types: ['INDICATOR_TYPE_UNSPECIFIED'] }, []],
    [{ categories: ['THREAT_CATEGORY_BOTNET'] }, ['login']],
    [{ categories: ['THREAT_CATEGORY_UNSPECIFIED'] }, ['hash', 'stop']],
    [{ minSeverity: 'SEVERITY_HIGH' }, ['stop', 'coil']],
    [{ min_severity: 5 }, ['stop']],
    [{ minSeverity: 'SEVERITY_UNSPECIFIED' }, ['hash', 'domain', 'login', 'stop', 'coil']],
    [{ states: ['INDICATOR_STATE_VERIFIED', 'INDICATOR_STATE_RAW'] }, []],
    [{ states: ['INDICATOR_STATE_ENRICHED'], types: ['INDICATOR_TYPE_DOMAIN'] }, ['domain']],
    [{ tags: ['pump'] }, ['stop', 'coil']],
    [{ tags: ['Plant A'] }, ['coil']],
    [{ tags: ['pum'] }, []],
    [{ sourceIds: ['WRITER#partner-1'] }, ['domain']],
    [{ source_ids: ['WRITER#partner-1', 'nobody'] }, ['domain']],
    [{ sourceIds: ['partner-1'] }, []],
    [{ sourceIds: ['WRITER'] }, ['hash', 'domain', 'login', 'stop', 'coil']],
    [{ protocols: ['PROTOCOL_MODBUS', 'PROTOCOL_SSH'] }, ['login', 'coil']],
    [{ protocols: ['PROTOCOL_UNSPECIFIED'] }, ['hash', 'domain']],
    [{ protocols: [] }, ['hash', 'domain', 'login', 'stop', 'coil']],
    [{ sensorTypes: ['SENSOR_TYPE_ICS'] }, ['stop', 'coil']],
    [{ sensor_types: ['SENSOR_TYPE_ENDPOINT', 'SENSOR_TYPE_UNSPECIFIED'] }, ['hash', 'domain']],
    [{ lastSeenWindow: { start: daysAgo(3), end: daysAgo(1) } }, ['login', 'stop']],
    [{ last_seen_window: { start: daysAgo(2) } }, ['stop', 'coil']],
    [{ lastSeenWindow: { end: daysAgo(40) } }, ['hash']],
    [{ lastSeenWindow: { start: daysAgo(2), end: daysAgo(2) } }, []],
    // An address is stale a month after its last sighting. A hash never is.
    [{ validAt: daysAgo(-60), types: ['INDICATOR_TYPE_IPV4', 'INDICATOR_TYPE_FILE_HASH_SHA256'] }, ['hash']],
    [{ created_after: '2000-01-01T00:00:00Z' }, ['hash', 'domain', 'login', 'stop', 'coil']],
    [{ createdBefore: '2000-01-01T00:00:00Z' }, []],
    [{ protocols: ['PROTOCOL_MODBUS'], tags: ['pump'], minSeverity: 'SEVERITY_HIGH' }, ['coil']],
    [{ protocols: ['PROTOCOL_MODBUS'], types: ['INDICATOR_TYPE_DOMAIN'] }, []],
    [{ tags: ['pump'], states: null }, ['stop', 'coil']],
  ];
  for (const [filter, expected] of cases) {
    test(JSON.stringify(filter), async () => {
      const text = JSON.stringify({ filter }).replace('WRITER', writerId);
      assert.deepEqual(await found(JSON.parse(text)), expected);
    });
  }

  test('floors of confidence: typed and shorthand are one thing, and the larger decides', async () => {
    const { indicators } = await reader.search();
    const scores = indicators.map(({ confidenceScore }) => confidenceScore);
    const floor = Math.max(...scores);
    const above = indicators.filter(({ confidenceScore }) => confidenceScore >= floor).length;
    assert.ok(above > 0 && above < indicators.length, `the population has one score only: ${scores}`);
    for (const filter of [
      { minConfidenceScore: floor },
      { min_confidence: floor },
      { min_confidence_score: 1, minConfidence: floor },
      { minConfidenceScore: floor, min_confidence: 1 },
    ]) {
      assert.equal((await found({ filter })).length, above, JSON.stringify(filter));
    }
  });

  test('the window of creation is half open', async () => {
    const { createdAt } = (await reader.search({ pageSize: 1 })).indicators[0]!;
    const from = await found({ filter: { created_after: createdAt } });
    const until = await found({ filter: { created_before: createdAt } });
    assert.ok(from.includes('hash'));
    assert.equal(until.includes('hash'), false);
    assert.equal(from.length + until.length, 5);
  });
});

describe('free text', () => {
  const cases: readonly (readonly [query: string, expected: readonly string[]])[] = [
    ['192.0.2.', ['stop', 'coil']],
    ['192.0.2.1', []],
    ['192[.]0.2.11', ['stop']],
    ['hxxp c2.example', []],
    ['.C2.EXAMPLE', ['domain']],
    ['Update.c2[.]example(dot)net', ['domain']],
    ['c2.example.net', []],
    ['pump "plant a"', ['coil']],
    ['pump c2.example', []],
    ['"plant a"', ['coil']],
    ['lant', ['coil']],
    ['modbus', ['coil']],
    ['9f86d081', ['hash']],
    ['up', ['domain']],
    [`'; drop table indicator; --`, []],
    ['t3 OR c1', []],
    ['"', ['hash', 'domain', 'login', 'stop', 'coil']],
    ['%', []],
    ['\u{1f600}', []],
  ];
  for (const [query, expected] of cases) {
    test(JSON.stringify(query), async () => assert.deepEqual(await found({ query }), expected));
  }
});

describe('requests that are refused, each with the field at fault', () => {
  const cases: readonly (readonly [body: unknown, field: string])[] = [
    [{ filter: { types: ['INDICATOR_TYPE_IPV5'] } }, 'filter.types[0]'],
    [{ filter: { types: [99] } }, 'filter.types[0]'],
    [{ filter: { protocols: ['modbus'] } }, 'filter.protocols[0]'],
    [{ filter: { states: 'INDICATOR_STATE_RAW' } }, 'filter.states'],
    [{ filter: { minConfidenceScore: 101 } }, 'filter.minConfidenceScore'],
    [{ filter: { min_confidence: -1 } }, 'filter.minConfidence'],
    [{ filter: { minConfidence: 1.5 } }, 'filter.minConfidence'],
    [{ filter: { created_after: 'yesterday' } }, 'filter.createdAfter'],
    [{ filter: { lastSeenWindow: { start: daysAgo(1), end: daysAgo(2) } } }, 'filter.lastSeenWindow'],
    [{ filter: { tags: [null] } }, 'filter.tags[0]'],
    [{ filter: [] }, 'filter'],
    [{ pageSize: -1 }, 'pageSize'],
    [{ pageSize: 1, pagination: { pageSize: 2 } }, 'pageSize'],
    [{ pagination: { pageToken: 'AAAA' } }, 'pagination.pageToken'],
    [{ query: 'x'.repeat(1_001) }, 'query'],
    ['{"query":"a","query":"b"}', 'query'],
    ['{"page_size":1,"pageSize":1}', 'pageSize'],
    ['{} {}', 'body'],
    ['{"query":', 'body'],
    ['[]', 'body'],
    ['"text"', 'body'],
  ];
  for (const [body, field] of cases) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    test(text.slice(0, 60), async () => {
      const { code, details } = await post(body);
      assert.equal(code, 3);
      const violations = details.find((detail) => detail['@type'].endsWith('/google.rpc.BadRequest'));
      assert.equal(violations?.fieldViolations?.[0]?.field, field);
    });
  }

  test('all faults are named at once', async () => {
    const { details } = await post({ pageSize: 'x', filter: { types: [99], minConfidence: 300 } });
    assert.deepEqual(details[1]?.fieldViolations?.map(({ field }) => field).sort(), [
      'filter.minConfidence',
      'filter.types[0]',
      'pageSize',
    ]);
  });
});

describe('paging', () => {
  test('in every size each indicator comes once, in one order, and the last page says so', async () => {
    const all = await found({});
    for (const size of [1, 2, 3, 5, 6]) {
      const walked: string[] = [];
      let pageToken = '';
      do {
        const request = { pagination: { pageSize: size, pageToken } };
        const { indicators, pageInfo } = await reader.search(request);
        assert.ok(indicators.length <= size);
        assert.equal(pageInfo.totalCount, '5');
        walked.push(...indicators.map(({ value }) => nameOf.get(value) ?? value));
        pageToken = pageInfo.nextPageToken;
      } while (pageToken !== '');
      assert.deepEqual(walked, all);
    }
  });

  test('the size in all its spellings', async () => {
    for (const request of [
      { page_size: 2 },
      { pageSize: 2 },
      { pageSize: '2' },
      { pagination: { page_size: 2 } },
      { page_size: 2, pagination: { pageSize: 2 } },
      { page_size: 0, pagination: { pageSize: 2 } },
    ]) {
      assert.equal((await reader.search(request)).indicators.length, 2, JSON.stringify(request));
    }
    assert.equal((await reader.search({ pageSize: 4_294_967_295 })).indicators.length, 5);
  });

  test('a token belongs to its query and its ceiling, and can not be changed', async () => {
    const filter = { minSeverity: 'SEVERITY_LOW' };
    const first = await reader.search({ filter, pageSize: 1 });
    const pageToken = first.pageInfo.nextPageToken;
    const changed = (pageToken[0] === 'A' ? 'B' : 'A') + pageToken.slice(1);
    await reader.search({ filter, pageSize: 3, pagination: { pageToken } });
    await post({ filter: { minSeverity: 'SEVERITY_INFO' }, pagination: { pageToken } });
    await post({ filter, query: 'x', pagination: { pageToken } });
    await post({ filter, pagination: { pageToken: changed } });
    await post({ filter, pagination: { pageToken: `${pageToken}=` } });
    await post({ filter, pagination: { pageToken } }, service.as(await service.key({ tlpCeiling: 'RED' })));
  });

  test('under writes each untouched indicator comes exactly once', async () => {
    const writer = service.as(await service.key({ name: 'busy', sensor: true }));
    const mine = events(40, { tags: ['walked'] });
    await writer.ingest(mine);
    await service.settled();
    const touched = mine.slice(0, 10);
    const untouched = mine.slice(10).map(({ value }) => value);

    const seen: string[] = [];
    let pageToken = '';
    do {
      const request = { filter: { tags: ['walked'] }, pagination: { pageSize: 7, pageToken } };
      const { indicators, pageInfo } = await reader.search(request);
      seen.push(...indicators.map(({ value }) => value));
      pageToken = pageInfo.nextPageToken;
      await writer.ingest([
        ...events(5, { tags: ['walked'] }),
        ...touched.map(({ value }) => anEvent({ value, tags: ['walked', 'again'] })),
      ]);
      await service.settled();
    } while (pageToken !== '');
    for (const value of untouched) {
      assert.equal(seen.filter((one) => one === value).length, 1, value);
    }
    assert.equal(new Set(seen).size, seen.length, 'something came twice');
  });
});

describe('what lies above the ceiling of a credential', () => {
  const tags = ['marked'];
  before(async () => {
    const writer = service.as(await service.key({ name: 'marker', sensor: true, tlpCeiling: 'RED' }));
    const markings = ['CLEAR', 'GREEN', 'AMBER', 'AMBER_STRICT', 'RED'];
    await writer.ingest(markings.map((tlp) => anEvent({ tags: [...tags, tlp], tlp: `TLP_MARKING_${tlp}` })));
    await service.settled();
  });

  for (const [ceiling, visible] of [
    ['CLEAR', 1],
    ['GREEN', 2],
    ['AMBER', 3],
    ['AMBER_STRICT', 4],
    ['RED', 5],
  ] as const) {
    test(`a key of ${ceiling} finds and counts ${visible}`, async () => {
      const client = service.as(await service.key({ tlpCeiling: ceiling }));
      const { indicators, pageInfo } = await client.search({ filter: { tags } });
      assert.equal(indicators.length, visible);
      assert.equal(pageInfo.totalCount, String(visible));
      const paged = await client.search({ filter: { tags }, pageSize: 1 });
      assert.equal(paged.pageInfo.totalCount, String(visible));
      assert.equal(paged.pageInfo.nextPageToken === '', visible === 1);
      assert.equal((await client.search({ query: 'RED marked' })).indicators.length, visible === 5 ? 1 : 0);
    });
  }

  test('a token of a person sees AMBER_STRICT, or what its tlp_ceiling says', async () => {
    const count = async (claims: object) => {
      const client = service.as(service.token('indicators:read', { ...claims }));
      return (await client.search({ filter: { tags } })).indicators.length;
    };
    assert.equal(await count({}), 4);
    assert.equal(await count({ tlp_ceiling: 'GREEN' }), 2);
    assert.equal(await count({ tlp_ceiling: 'RED' }), 5);
  });
});

test('who may search', async () => {
  const status = async (credential?: string) =>
    (await service.as(credential).send(SEARCH, { method: 'POST', body: {} })).status;
  assert.equal(await status(), 401);
  assert.equal(await status(await service.key({ scopes: ['admin'] })), 200);
  assert.equal(await status(await service.key({ scopes: ['events:write', 'usage:read'] })), 403);
  assert.equal(await status(await service.key({ sensor: true })), 403);
  assert.equal(await status(service.token('openid indicators:read')), 200);
  assert.equal(await status(service.token('openid indicators:readall')), 403);
  assert.equal(await status(service.provider.token({ permissions: ['indicators:read'] })), 200);
});
