import assert from 'node:assert/strict';
import { test } from 'node:test';
import { curlOf } from './curl.ts';
import {
  countConditions,
  EMPTY_QUERY,
  filterOf,
  readQuery,
  requestOf,
  toggle,
  writeQuery,
} from './search-query.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');

test('a query goes into the address and comes back the same', () => {
  const query = {
    ...EMPTY_QUERY,
    text: 'a&b=c #\n198.51.100.7',
    asText: true,
    chosen: { type: ['ipv4', 'file_hash_md5'], severity: ['high'], asn: ['64500'], tag: ['x y', 'ü'] },
    score: 40,
    seen: '7d',
    order: 'score' as const,
    columns: ['type', 'score'],
  };
  assert.deepEqual(readQuery(writeQuery(query)), query);
  assert.equal(writeQuery(EMPTY_QUERY), '');
  assert.equal(countConditions(query), 8);
});

test('a text that is too long for a request line stays out of the address', () => {
  assert.equal(writeQuery({ ...EMPTY_QUERY, text: 'ü'.repeat(1_000), score: 5 }), 'score=5');
});

test('an address that says nonsense is the empty query', () => {
  const address = 'type=nothing&asn=x&score=400&seen=ever&order=best&columns=&tlp=red&as=x';
  assert.deepEqual(readQuery(address), EMPTY_QUERY);
});

test('the filter is that of the contract', () => {
  const query = readQuery(
    'type=ipv4&severity=high&asn=64500&intent=write&verdict=malicious&score=40&seen=1h',
  );
  assert.deepEqual(filterOf(query, NOW), {
    types: ['INDICATOR_TYPE_IPV4'],
    minSeverity: 'SEVERITY_HIGH',
    asns: [64500],
    intents: ['INTENT_WRITE'],
    verdicts: ['VERDICT_MALICIOUS'],
    minConfidenceScore: 40,
    lastSeenWindow: { start: '2026-11-22T11:00:00.000Z' },
  });
  assert.deepEqual(requestOf(EMPTY_QUERY, '', NOW), {});
  assert.deepEqual(requestOf({ ...EMPTY_QUERY, order: 'score' }, 'x', NOW), {
    query: 'x',
    orderBy: 'SEARCH_ORDER_CONFIDENCE',
  });
});

test('a choice is added and taken away; a severity replaces the one before', () => {
  const one = toggle(EMPTY_QUERY, 'type', 'ipv4');
  assert.deepEqual(toggle(one, 'type', 'url').chosen, { type: ['ipv4', 'url'] });
  assert.deepEqual(toggle(one, 'type', 'ipv4').chosen, {});
  const high = toggle(EMPTY_QUERY, 'severity', 'high');
  assert.deepEqual(toggle(high, 'severity', 'low').chosen, { severity: ['low'] });
});

test('a command to paste holds hostile text as text', () => {
  const command = curlOf('http://127.0.0.1:8080', '/v1/indicators/search', { query: `'; rm -rf \u202E$(x)` });
  assert.match(command, /-d '\{"query":"'\\''; rm -rf \\u202e\$\(x\)"\}'$/);
});
