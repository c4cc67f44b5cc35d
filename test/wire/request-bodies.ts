// Request bodies of methods with `body: "*"`: ProtoJSON as a Protobuf gateway reads it. Where we are stricter on
// purpose (docs/decisions), the row says so.

import assert from 'node:assert/strict';
import { anEvent } from '../support/sensor-events.ts';
import type { IngestReply } from '../support/wire.ts';
import {
  bodies,
  fails,
  finds,
  findsAll,
  INGEST,
  invalid,
  jsonOf,
  POPULATION,
  SEARCH,
  type WireCase,
  type WireReply,
  type WireTable,
} from './wire-case.ts';

const notJson = fails(400, 3, 'MALFORMED_JSON', 'body');

const search = (check: WireCase['check'], ...given: readonly unknown[]) => bodies(SEARCH, check, ...given);
const filter = (check: WireCase['check'], ...texts: readonly string[]) =>
  search(check, ...texts.map((text) => `{"filter":{${text}}}`));

/** A number as the text of JSON, in the places that take one. */
const pageSize = (check: WireCase['check'], ...texts: readonly string[]) =>
  search(check, ...texts.map((text) => `{"pagination":{"pageSize":${text}}}`));

/** One event with a member that is given as the text of JSON. */
function event(check: WireCase['check'], ...members: readonly string[]): WireCase[] {
  return members.map((member) => ({
    given: member,
    method: 'POST',
    path: INGEST,
    as: 'sensor',
    body: `{"events":[${JSON.stringify(aKnownEvent()).slice(0, -1)},${member}}]}`,
    check,
  }));
}

/** Nothing new comes into the population by it. Evidence is for the cases to add. */
const aKnownEvent = () => ({ ...anEvent({ value: POPULATION.plc.value }), evidence: undefined });

function taken(reply: WireReply): void {
  assert.equal(reply.status, 200, reply.body.toString());
  assert.equal(jsonOf<IngestReply>(reply).acceptedCount, 1);
}

const deep = (depth: number) => `{"query":${'['.repeat(depth)}${']'.repeat(depth)}}`;

export const REQUEST_BODIES: WireTable = {
  'no body, or only white space (stricter: 400)': search(invalid('body'), undefined, '', ' ', '\n\t \r\n'),
  '{}': search(findsAll, '{}', ' { } '),
  'null, a list or a scalar as the whole body': search(
    invalid('body'),
    'null',
    '[]',
    '"x"',
    '1',
    'true',
    '[{}]',
  ),
  'truncated JSON, text, a byte order mark, a raw control character': search(
    notJson,
    '{',
    '{"query":"x"',
    '{"query":"x',
    '{"query"',
    'query=x',
    '{query:"x"}',
    "{'query':'x'}",
    '{"query":"x",}',
    '\uFEFF{}',
    '{"query":"a\u0001b"}',
    '{"query":"a\nb"}',
    '{"query":"\\x"}',
    '{"page_size":01}',
    '{"page_size":+1}',
    '{"page_size":.5}',
    '{"page_size":NaN}',
    '//{}',
  ),
  'something behind the value (stricter: 400)': search(notJson, '{} xyz', '{}{}', '{}]', '{} // x', '{}\0'),
  'white space behind the value': search(findsAll, '{}\n', '{} \t'),
  'invalid UTF-8': search(
    notJson,
    Buffer.from('{"query":"\xff"}', 'latin1'),
    Buffer.from('{"query":"\xc0\xaf"}', 'latin1'),
    Buffer.from('{"query":"\xed\xa0\x80"}', 'latin1'),
    Buffer.from('{"query":"\xe2\x82"}', 'latin1'),
    Buffer.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
  ),
  'a lone surrogate escape': search(
    notJson,
    '{"query":"\\ud800"}',
    '{"query":"\\udc00x"}',
    '{"query":"\\ud800\\ud800"}',
  ),
  'names in camelCase or snake_case, mixed': search(
    finds('plc'),
    { filter: { sensorTypes: ['SENSOR_TYPE_ICS'], min_severity: 'SEVERITY_UNSPECIFIED' }, page_size: 5 },
    { filter: { sensor_types: ['SENSOR_TYPE_ICS'], minSeverity: 'SEVERITY_UNSPECIFIED' }, pageSize: 5 },
    { filter: { sensorTypes: ['SENSOR_TYPE_ICS'] }, pagination: { page_size: 5, pageToken: '' } },
  ),
  'one field twice, in one or both spellings, even with equal values': [
    ...search(invalid('query'), '{"query":"a","query":"a"}'),
    ...search(invalid('pageSize'), '{"page_size":5,"pageSize":5}'),
    ...filter(invalid('filter.sensorTypes'), '"sensorTypes":[],"sensor_types":[]'),
    ...search(invalid('filter'), '{"filter":{},"filter":{}}', '{"filter":null,"filter":{}}'),
    ...search(invalid('query'), '{"query":"a","qu\\u0065ry":"a"}'),
  ],
  'an unknown member (stricter: 400)': [
    ...search(invalid('unknown'), { unknown: 1 }, { unknown: { deep: [{}] } }, { unknown: null }),
    ...search(invalid('filter.unknown'), { filter: { unknown: 'x' } }),
    ...search(invalid('__proto__'), '{"__proto__":{"query":"x"}}'),
    ...search(invalid('constructor', 'toString'), '{"constructor":{},"toString":1}'),
    ...search(invalid('unknown', 'unknown'), '{"unknown":1,"unknown":2}'),
    ...search(invalid('["\\u001b[31m"]'), '{"\\u001b[31m":1}'),
    ...search(invalid('Query'), { Query: 'nothing has this' }),
    ...search(invalid('filter.sensor_Types'), { filter: { sensor_Types: ['SENSOR_TYPE_ICS'] } }),
    ...event(invalid('events[0].comment'), '"comment":"x"'),
    ...event(invalid('events[0].source.url'), '"source":{"id":"s","url":"x"}'),
    ...event(taken, '"evidence":{"modbus.function":"5"}'),
  ],
  'null for a field is leaving it out': search(
    findsAll,
    { query: null, filter: null, pagination: null, page_size: null },
    { filter: { types: null, minSeverity: null, tags: null, lastSeenWindow: null, createdAfter: null } },
  ),
  'null in a list': filter(invalid('filter.types[0]'), '"types":[null]'),
  'a scalar for a list, or something else for a message': [
    ...filter(invalid('filter.types'), '"types":"INDICATOR_TYPE_IPV4"', '"types":{}', '"types":1'),
    ...search(invalid('filter'), { filter: [] }, { filter: 'x' }, { filter: 1 }, { filter: true }),
    ...filter(invalid('filter.lastSeenWindow'), '"lastSeenWindow":[]', '"lastSeenWindow":"x"'),
  ],
  'an enum by its name or its number': filter(
    finds('plc'),
    '"protocols":["PROTOCOL_MODBUS"]',
    '"protocols":[1]',
    '"protocols":[1.0]',
    '"protocols":[1e0]',
    '"protocols":["PROTOCOL_MODBUS",1]',
  ),
  'an enum number that is not declared (stricter: 400)': [
    ...filter(
      invalid('filter.protocols[0]'),
      '"protocols":[99]',
      '"protocols":[-1]',
      '"protocols":[2147483648]',
    ),
    ...filter(invalid('filter.minSeverity'), '"minSeverity":99'),
  ],
  'an enum name that is not declared (stricter: 400)': [
    ...filter(
      invalid('filter.protocols[0]'),
      '"protocols":["PROTOCOL_PROFINET"]',
      '"protocols":["protocol_modbus"]',
      '"protocols":["MODBUS"]',
      '"protocols":["1"]',
      '"protocols":[""]',
    ),
    ...filter(invalid('filter.protocols[1]'), '"protocols":["PROTOCOL_SSH","SSH"]'),
    ...filter(invalid('filter.minSeverity'), '"minSeverity":"HIGH"'),
  ],
  'true or a fraction for an enum': filter(
    invalid('filter.protocols[0]'),
    '"protocols":[true]',
    '"protocols":[1.5]',
  ),
  'uint32 as a number or a string': pageSize(
    findsAll,
    '70',
    '"70"',
    '70.0',
    '7e1',
    '"7e1"',
    '-0',
    '7.0E+1',
    '"70.0"',
  ),
  'uint32 that is none': pageSize(
    invalid('pagination.pageSize'),
    '-1',
    '1.5',
    '4294967296',
    '""',
    '" 7"',
    '"7 "',
    '"0x10"',
    '"+7"',
    'true',
    '[]',
    '{}',
    '1e10',
    '1e400',
    '"NaN"',
  ),
  'uint32 beyond the range of its field': filter(
    invalid('filter.minConfidenceScore'),
    '"minConfidenceScore":101',
    '"min_confidence_score":"4294967295"',
  ),
  'uint64 as a number or a string': event(
    taken,
    '"count":5',
    '"count":1e3',
    '"count":"18446744073709551615"',
    '"count":0',
  ),
  'uint64 that is none': event(
    invalid('events[0].count'),
    '"count":"18446744073709551616"',
    '"count":18446744073709551616',
    '"count":-1',
    '"count":"1.5"',
    '"count":1.5',
  ),
  'double as a number or a string': event(
    taken,
    '"source":{"id":"s","reliability":0.5}',
    '"source":{"id":"s","reliability":"0.5"}',
    '"source":{"id":"s","reliability":5e-1}',
    '"source":{"id":"s","reliability":-0}',
  ),
  'double beyond the range of its field, or of any double': event(
    invalid('events[0].source.reliability'),
    '"source":{"id":"s","reliability":"NaN"}',
    '"source":{"id":"s","reliability":"Infinity"}',
    '"source":{"id":"s","reliability":"-Infinity"}',
    '"source":{"id":"s","reliability":1e400}',
    '"source":{"id":"s","reliability":1.01}',
    '"source":{"id":"s","reliability":""}',
  ),
  'a number or an object for a string': [
    ...search(invalid('query'), { query: 1 }, { query: {} }, { query: [] }, { query: true }),
    ...filter(invalid('filter.tags[0]'), '"tags":[1]', '"tags":[{}]'),
    ...event(invalid('events[0].evidence["k"]'), '"evidence":{"k":1}', '"evidence":{"k":{}}'),
  ],
  'nesting of 10,000 levels and no more': [
    ...search(invalid('query'), deep(9_990)),
    ...search(notJson, deep(10_010), deep(500_000)),
  ],
  'a query string beside the body (stricter: 400)': [
    {
      given: '?query=nothing',
      method: 'POST',
      path: `${SEARCH}?query=nothing&page_size=x&page_size=y`,
      body: {},
      check: invalid('query', 'page_size'),
    },
    {
      given: '?%zz;',
      method: 'POST',
      path: `${SEARCH}?%zz;`,
      body: {},
      check: fails(400, 3, 'MALFORMED_QUERY', 'query'),
    },
    { given: '?', method: 'POST', path: `${SEARCH}?`, body: {}, check: findsAll },
  ],
  'the type of the body is not looked at': [
    'text/plain',
    ';;;',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/json; charset=utf-16',
    'a/b/c',
  ].map((type) => ({
    given: type,
    method: 'POST',
    path: SEARCH,
    headers: { 'content-type': type },
    body: { filter: { protocols: ['PROTOCOL_MODBUS'] } },
    check: finds('plc'),
  })),
  'what the client accepts is not looked at': ['text/html', 'application/xml;q=1, */*;q=0', 'x'].map(
    (accept) => ({
      given: accept,
      method: 'POST',
      path: SEARCH,
      headers: { accept },
      body: {},
      check: findsAll,
    }),
  ),
};
