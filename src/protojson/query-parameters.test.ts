// Query strings as ProtoJSON, judged by the decoder.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toJson } from '@bufbuild/protobuf';
import { ServiceError } from '../domain/errors.ts';
import { SearchIndicatorsRequestSchema } from '../gen/threatintel/v1/indicator_service_pb.ts';
import { createDecoder } from './json-decoder.ts';
import { queryToJson } from './query-parameters.ts';

const decode = createDecoder(SearchIndicatorsRequestSchema);

function decodeQuery(query: string, bound: readonly string[] = []): unknown {
  const json = queryToJson(SearchIndicatorsRequestSchema, query, bound);
  return toJson(SearchIndicatorsRequestSchema, decode(json));
}

test('accepted queries', () => {
  const table: readonly [query: string, meaning: object][] = [
    ['', {}],
    ['&&', {}],
    ['query=a+b%20c%2B%26', { query: 'a b c+&' }],
    ['query', {}],
    ['query=a=b', { query: 'a=b' }],
    ['pageSize=7', { pageSize: 7 }],
    ['page_size=7', { pageSize: 7 }],
    ['pagination.pageSize=5&pagination.page_token=t', { pagination: { pageSize: 5, pageToken: 't' } }],
    [
      'filter.protocols=PROTOCOL_SSH&filter.protocols=1',
      { filter: { protocols: ['PROTOCOL_SSH', 'PROTOCOL_MODBUS'] } },
    ],
    ['filter.min_severity=SEVERITY_LOW', { filter: { minSeverity: 'SEVERITY_LOW' } }],
    [
      'filter.lastSeenWindow.start=2026-01-01T00:00:00Z',
      { filter: { lastSeenWindow: { start: '2026-01-01T00:00:00Z' } } },
    ],
    ['filter.tags=a,b', { filter: { tags: ['a,b'] } }],
  ];
  for (const [query, meaning] of table) assert.deepEqual(decodeQuery(query), meaning, query);
});

test('what the path gives is not taken from the query', () => {
  assert.deepEqual(decodeQuery('query=x&pageSize=7', ['query']), { pageSize: 7 });
});

test('refused queries', () => {
  const table: readonly [query: string, field: string][] = [
    ['query=a&query=a', 'query'],
    ['pageSize=1&page_size=1', 'pageSize'],
    ['pageSize=', 'pageSize'],
    ['pageSize=-1', 'pageSize'],
    ['pageSize=x', 'pageSize'],
    ['filter=x', 'filter'],
    ['filter.minSeverity=', 'filter.minSeverity'],
    ['filter.minSeverity=HIGH', 'filter.minSeverity'],
    ['filter.minSeverity=99', 'filter.minSeverity'],
    ['filter.types=1&filter.types=01', 'filter.types[1]'],
    ['filter.createdAfter=2026-01-01', 'filter.createdAfter'],
    ['unknown=1&unknown=2', 'unknown'],
    ['filter.unknown.deeper=1', 'filter["unknown.deeper"]'],
    ['query.x=1', 'query'],
    ['filter.createdAfter.seconds=1', 'filter.createdAfter'],
    ['filter.tags.x=1', 'filter.tags'],
    [`${'a.'.repeat(5_000)}a=1`, `["${'a.'.repeat(32)}"]`],
    ['__proto__=1', '__proto__'],
    ['=1', '[""]'],
    ['query=a;pageSize=1', 'query'],
    ['query=%zz', 'query'],
    ['query=%ff', 'query'],
    ['%e4=1', 'query'],
  ];
  for (const [query, field] of table) {
    assert.throws(
      () => decodeQuery(query),
      (error) => {
        assert.ok(error instanceof ServiceError);
        assert.deepEqual(
          error.details.violations?.map((one) => one.field),
          [field],
          query,
        );
        return true;
      },
    );
  }
});
