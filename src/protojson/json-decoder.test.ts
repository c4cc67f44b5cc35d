// Tables of what the decoder accepts and refuses: the behaviour of a Protobuf gateway, and the exceptions that
// json-decoder.ts names.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, type DescMessage, equals, type MessageShape, toJson } from '@bufbuild/protobuf';
import fc from 'fast-check';
import { ServiceError } from '../domain/errors.ts';
import { SearchIndicatorsRequestSchema } from '../gen/threatintel/v1/indicator_service_pb.ts';
import { ThreatIndicatorSchema } from '../gen/threatintel/v1/model_pb.ts';
import { ScoreReceiptSchema } from '../gen/threatintel/v1/score_receipt_pb.ts';
import { IngestSensorEventsRequestSchema } from '../gen/threatintel/v1/sensor_event_service_pb.ts';
import { FIELD_RULES } from './field-rules.ts';
import { createDecoder } from './json-decoder.ts';
import { createEncoder } from './json-encoder.ts';
import { arbitraryMessage } from './message-arbitrary.test-support.ts';

const decodeSearch = createDecoder(SearchIndicatorsRequestSchema, FIELD_RULES);
const decodeEvents = createDecoder(IngestSensorEventsRequestSchema);
const decodeEventsByRules = createDecoder(IngestSensorEventsRequestSchema, FIELD_RULES);
const decodeIndicator = createDecoder(ThreatIndicatorSchema);
const decodeReceipt = createDecoder(ScoreReceiptSchema);

const bytes = (text: string) => Buffer.from(text, 'utf8');

function faults(decode: (body: Uint8Array) => unknown, body: string | Uint8Array): string[] {
  try {
    decode(typeof body === 'string' ? bytes(body) : body);
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    assert.equal(error.code, 'invalid_argument');
    return (error.details.violations ?? []).map(({ field }) => field);
  }
  return [];
}

/** The members of the decoded search request that differ from the empty one. */
function search(body: string): unknown {
  return toJson(SearchIndicatorsRequestSchema, decodeSearch(bytes(body)));
}

test('accepted bodies', () => {
  const table: readonly [body: string, meaning: object][] = [
    ['', {}],
    [' \r\n\t ', {}],
    ['{}', {}],
    [' { } ', {}],
    ['{"query":"x"}', { query: 'x' }],
    ['{"query":null,"filter":null,"pageSize":null,"pagination":null}', {}],
    ['{"filter":{"types":null,"tags":null,"createdAfter":null}}', { filter: {} }],
    ['{"page_size":7}', { pageSize: 7 }],
    ['{"pageSize":7}', { pageSize: 7 }],
    ['{"pageSize":0}', { pageSize: 0 }],
    [
      '{"filter":{"min_confidence":70,"minConfidenceScore":60}}',
      { filter: { minConfidence: 70, minConfidenceScore: 60 } },
    ],
    [
      '{"filter":{"sensor_types":["SENSOR_TYPE_ICS",2,3.0]}}',
      {
        filter: { sensorTypes: ['SENSOR_TYPE_ICS', 'SENSOR_TYPE_NETWORK', 'SENSOR_TYPE_ENDPOINT'] },
      },
    ],
    ['{"filter":{"minSeverity":"SEVERITY_HIGH"}}', { filter: { minSeverity: 'SEVERITY_HIGH' } }],
    ['{"filter":{"minSeverity":40e-1}}', { filter: { minSeverity: 'SEVERITY_HIGH' } }],
    [
      '{"filter":{"last_seen_window":{"start":"2026-01-01T01:00:00+01:00"}}}',
      {
        filter: { lastSeenWindow: { start: '2026-01-01T00:00:00Z' } },
      },
    ],
    ['{"query":"\\u00e4\\ud83d\\ude00\\"\\\\\\/\\b\\f\\n\\r\\t"}', { query: 'ä😀"\\/\b\f\n\r\t' }],
    ['{"query":"ä😀\u2028\u007f"}', { query: 'ä😀\u2028\u007f' }],
    ['{"\\u0071uery":"x"}', { query: 'x' }],
  ];
  for (const [body, meaning] of table) assert.deepEqual(search(body), meaning, body);
});

test('no bytes at all are the empty message', () => {
  assert.ok(
    equals(
      SearchIndicatorsRequestSchema,
      decodeSearch(new Uint8Array()),
      create(SearchIndicatorsRequestSchema),
    ),
  );
});

test('refused bodies: what is not one JSON object', () => {
  const table = [
    'null',
    '[]',
    '"x"',
    '1',
    'true',
    '{',
    '{"query"',
    '{"query":',
    '{"query":"x',
    '{"query":"x"',
    '{"query":"x",}',
    '{,}',
    "{'query':1}",
    '{query:1}',
    '{"query" "x"}',
    'hello',
    '\ufeff{}',
    '{"query":"a\u0001"}',
    '{"query":"a\nb"}',
    '{} {}',
    '{}x',
    '{},',
    '{"u":01}',
    '{"u":.5}',
    '{"u":1.}',
    '{"u":+1}',
    '{"u":1e}',
    '{"u":-}',
    '{"u":NaN}',
    '{"u":Infinity}',
    '{"u":0x10}',
    '{"u":tru}',
    '{"u":nul}',
    '{"u":undefined}',
    '{"u":[1,]}',
    '{"u":[1 2]}',
    '{"u":[1}',
    '{"u":{"a":1]}',
    '{"u":"\\x"}',
    '{"u":"\\u12"}',
    '{"u":"\\u12g4"}',
    '{"query":"\\ud800"}',
    '{"query":"\\udc00"}',
    '{"query":"\\ud800\\u0041"}',
    '{"query":"\\ud800x"}',
    '{"\\ud800":1}',
    '/**/{}',
    '{}//',
    '{"u":"\\',
  ];
  for (const body of table) assert.deepEqual(faults(decodeSearch, body), ['body'], JSON.stringify(body));
  for (const invalid of [
    [0x7b, 0xff, 0x7d],
    [0xc0, 0x80],
    [0xed, 0xa0, 0x80],
    [0x22, 0xc3],
  ]) {
    assert.deepEqual(faults(decodeSearch, Uint8Array.from(invalid)), ['body']);
  }
});

test('one field given twice is refused, in whichever spelling and even as null', () => {
  const table: readonly [body: string, field: string][] = [
    ['{"query":"x","query":"x"}', 'query'],
    ['{"pageSize":5,"page_size":5}', 'pageSize'],
    ['{"page_size":5,"pageSize":5}', 'pageSize'],
    ['{"query":null,"query":"x"}', 'query'],
    ['{"query":"x","query":null}', 'query'],
    ['{"query":"x","\\u0071uery":"y"}', 'query'],
    ['{"filter":{"tags":["a"],"tags":["b"]}}', 'filter.tags'],
    ['{"filter":{"createdAfter":null,"created_after":null}}', 'filter.createdAfter'],
  ];
  for (const [body, field] of table) assert.deepEqual(faults(decodeSearch, body), [field], body);
});

test('values of the wrong type are refused with their path', () => {
  const table: readonly [body: string, ...fields: string[]][] = [
    ['{"query":1}', 'query'],
    ['{"query":{"a":1}}', 'query'],
    ['{"query":["x"]}', 'query'],
    ['{"query":true}', 'query'],
    ['{"filter":[]}', 'filter'],
    ['{"filter":"x"}', 'filter'],
    ['{"filter":{"types":"INDICATOR_TYPE_IPV4"}}', 'filter.types'],
    ['{"filter":{"types":{}}}', 'filter.types'],
    ['{"filter":{"types":[null]}}', 'filter.types[0]'],
    ['{"filter":{"tags":["a",null,1]}}', 'filter.tags[1]', 'filter.tags[2]'],
    ['{"filter":{"protocols":["PROTOCOL_SSH","MODBUS"]}}', 'filter.protocols[1]'],
    [
      '{"filter":{"protocols":["protocol_ssh","1",99,1.5,-1,true,[],"",1e99]}}',
      ...Array.from({ length: 9 }, (_, index) => `filter.protocols[${index}]`),
    ],
    ['{"filter":{"minSeverity":"HIGH"}}', 'filter.minSeverity'],
    ['{"filter":{"minSeverity":6}}', 'filter.minSeverity'],
    ['{"filter":{"createdAfter":1767225600}}', 'filter.createdAfter'],
    ['{"filter":{"createdAfter":""}}', 'filter.createdAfter'],
    ['{"filter":{"createdAfter":"2026-02-30T00:00:00Z"}}', 'filter.createdAfter'],
    ['{"filter":{"createdAfter":{"seconds":1}}}', 'filter.createdAfter'],
    [
      '{"filter":{"lastSeenWindow":{"start":"2026-01-01","end":"x"}}}',
      'filter.lastSeenWindow.start',
      'filter.lastSeenWindow.end',
    ],
  ];
  for (const [body, ...fields] of table) assert.deepEqual(faults(decodeSearch, body), fields, body);
});

test('uint32', () => {
  const accepted: readonly [text: string, value: number][] = [
    ['70', 70],
    ['"70"', 70],
    ['70.0', 70],
    ['70.000', 70],
    ['7e1', 70],
    ['"7e1"', 70],
    ['7E+1', 70],
    ['700e-1', 70],
    ['-0', 0],
    ['0e99999', 0],
    ['0.0', 0],
    ['4294967295', 4294967295],
    ['4.294967295e9', 4294967295],
  ];
  for (const [text, value] of accepted) {
    assert.equal(decodeSearch(bytes(`{"pageSize":${text}}`)).pageSize, value, text);
  }
  const refused = [
    '-1',
    '1.5',
    '4294967296',
    '""',
    '" 7"',
    '"7 "',
    '"0x10"',
    '"070"',
    '"+7"',
    '"7 8"',
    'true',
    '[]',
    '{}',
    '1e400',
    '"NaN"',
    '1e99999999999999999999',
    '1e-1',
    '"١"',
  ];
  for (const text of refused)
    assert.deepEqual(faults(decodeSearch, `{"pageSize":${text}}`), ['pageSize'], text);
});

test('uint64 is exact, as a number and as text', () => {
  const accepted: readonly [text: string, value: bigint][] = [
    ['5', 5n],
    ['"5"', 5n],
    ['1e3', 1000n],
    ['"1e3"', 1000n],
    ['9007199254740993', 9007199254740993n],
    ['18446744073709551615', 18446744073709551615n],
    ['"18446744073709551615"', 18446744073709551615n],
    ['1844674407370955161.5e1', 18446744073709551615n],
  ];
  for (const [text, value] of accepted) {
    assert.equal(decodeEvents(bytes(`{"events":[{"count":${text}}]}`)).events[0]?.count, value, text);
  }
  for (const text of [
    '18446744073709551616',
    '"18446744073709551616"',
    '-1',
    '0.5',
    '1e20',
    'null ,"count":1',
  ]) {
    assert.deepEqual(faults(decodeEvents, `{"events":[{"count":${text}}]}`), ['events[0].count'], text);
  }
});

test('double', () => {
  const accepted: readonly [text: string, value: number][] = [
    ['0.5', 0.5],
    ['"0.5"', 0.5],
    ['1', 1],
    ['1e-7', 1e-7],
    ['-0', -0],
    ['"NaN"', Number.NaN],
    ['"Infinity"', Number.POSITIVE_INFINITY],
    ['"-Infinity"', Number.NEGATIVE_INFINITY],
    ['1e-999', 0],
  ];
  for (const [text, value] of accepted) {
    assert.ok(Object.is(decodeReceipt(bytes(`{"combined":${text}}`)).combined, value), text);
  }
  for (const text of ['1e400', '-1e400', '"1e400"', '""', '" 1"', '"0x1"', '"inf"', '"nan"', 'true', '[]']) {
    assert.deepEqual(faults(decodeReceipt, `{"combined":${text}}`), ['combined'], text);
  }
});

test('maps', () => {
  const { evidence } = decodeEvents(bytes('{"events":[{"evidence":{"a.b":"1","__proto__":"2","":"3"}}]}'))
    .events[0]!;
  assert.deepEqual(Object.entries(evidence), [
    ['a.b', '1'],
    ['__proto__', '2'],
    ['', '3'],
  ]);
  const table: readonly [map: string, ...fields: string[]][] = [
    ['{"a":"1","a":"1"}', 'events[0].evidence["a"]'],
    ['{"__proto__":"1","__proto__":"1"}', 'events[0].evidence["__proto__"]'],
    ['{"a":null}', 'events[0].evidence["a"]'],
    ['{"a":1,"b":{}}', 'events[0].evidence["a"]', 'events[0].evidence["b"]'],
    ['[]', 'events[0].evidence'],
    ['"x"', 'events[0].evidence'],
  ];
  for (const [map, ...fields] of table) {
    assert.deepEqual(faults(decodeEvents, `{"events":[{"evidence":${map}}]}`), fields, map);
  }
});

test('all faults are named, not only the first', () => {
  assert.deepEqual(
    faults(
      decodeSearch,
      '{"query":1,"filter":{"types":["X"],"minConfidenceScore":101,"minConfidence":-1},"pageSize":"x"}',
    ),
    ['query', 'filter.types[0]', 'filter.minConfidenceScore', 'filter.minConfidence', 'pageSize'],
  );
});

test('limits of fields', () => {
  const event = { eventId: 'e', sensorId: 's', value: 'v', observedAt: '2026-01-01T00:00:00Z' };
  const table: readonly [event: object, ...members: string[]][] = [
    [event],
    [{ ...event, eventId: 'e'.repeat(128), value: '😀'.repeat(4096) }],
    [{ ...event, value: 'a\u0000b' }],
    [{ ...event, tags: Array(50).fill('t'.repeat(100)), evidence: { k: 'v'.repeat(1024) } }],
    [{}, 'eventId', 'sensorId', 'value', 'observedAt'],
    [{ ...event, eventId: null, value: '' }, 'value', 'eventId'],
    [{ ...event, eventId: 'e'.repeat(129) }, 'eventId'],
    [{ ...event, sensorId: 'a\nb' }, 'sensorId'],
    [{ ...event, value: '😀'.repeat(4097) }, 'value'],
    [{ ...event, tags: ['', 'a\u0085', 't'.repeat(101)] }, 'tags[0]', 'tags[1]', 'tags[2]'],
    [{ ...event, tags: Array(51).fill('t') }, 'tags'],
    [{ ...event, labels: [{ value: 'x' }, { key: 'k'.repeat(65) }] }, 'labels[0].key', 'labels[1].key'],
    [{ ...event, source: {} }, 'source.id'],
    [{ ...event, source: { id: 'x', reliability: 1.5 } }, 'source.reliability'],
    [{ ...event, source: { id: 'x', reliability: 'NaN' } }, 'source.reliability'],
    [
      { ...event, evidence: { '': 'a', k: 'v'.repeat(1025), n: '\u0000' } },
      'evidence[""]',
      'evidence["k"]',
      'evidence["n"]',
    ],
    [
      { ...event, evidence: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, ''])) },
      'evidence',
    ],
  ];
  for (const [one, ...members] of table) {
    const expected = members.map((member) => `events[0].${member}`);
    assert.deepEqual(
      faults(decodeEventsByRules, JSON.stringify({ events: [one] })),
      expected,
      JSON.stringify(one),
    );
  }
  for (const body of [
    '',
    '{}',
    '{"events":null}',
    '{"events":[]}',
    JSON.stringify({ events: Array(1001).fill(event) }),
  ]) {
    assert.deepEqual(faults(decodeEventsByRules, body), ['events'], body.slice(0, 20));
  }
  assert.deepEqual(faults(decodeEventsByRules, JSON.stringify({ events: Array(1000).fill(event) })), []);
  assert.deepEqual(faults(decodeSearch, '{"query":"a\\u0000"}'), ['query']);
});

test('neither nesting nor length makes it slow or overflows the stack', () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const nested = (depth: number) => `{"u":${open.repeat(depth)}1${close.repeat(depth)}}`;
    assert.deepEqual(faults(decodeSearch, nested(9_999)), ['u']);
    assert.deepEqual(faults(decodeSearch, nested(200_000)), ['body']);
  }
  const zeros = '0'.repeat(1_000_000);
  assert.deepEqual(faults(decodeSearch, `{"pageSize":1.${zeros}1}`), ['pageSize']);
  assert.deepEqual(faults(decodeSearch, `{"pageSize":1${zeros}}`), ['pageSize']);
  assert.equal(decodeSearch(bytes(`{"pageSize":1.${zeros}}`)).pageSize, 1);
});

test('the list of faults stays bounded', () => {
  const body = `{"events":[${Array(100_000).fill('1').join()}]}`;
  assert.equal(faults(decodeEvents, body).length, 1_000);
  const longKey = `{"events":[{"evidence":{"${'k'.repeat(100_000)}":1}}]}`;
  assert.ok(faults(decodeEvents, longKey)[0]!.length < 100);
});

const DECODERS: readonly [DescMessage, (body: Uint8Array) => MessageShape<DescMessage>][] = [
  [ThreatIndicatorSchema, decodeIndicator],
  [ScoreReceiptSchema, decodeReceipt],
  [IngestSensorEventsRequestSchema, decodeEvents],
  [SearchIndicatorsRequestSchema, createDecoder(SearchIndicatorsRequestSchema)],
];

for (const [desc, decode] of DECODERS) {
  test(`${desc.name} survives the way out and in again`, () => {
    const encode = createEncoder(desc);
    fc.assert(
      fc.property(arbitraryMessage(desc), (message) => {
        assert.ok(equals(desc, decode(bytes(encode(message))), message));
      }),
      { numRuns: 100 },
    );
  });

  test(`${desc.name} is understood as protobuf-es writes it, in both spellings`, () => {
    fc.assert(
      fc.property(arbitraryMessage(desc), fc.boolean(), (message, useProtoFieldName) => {
        const json = JSON.stringify(toJson(desc, message, { useProtoFieldName }), null, 1);
        assert.ok(equals(desc, decode(bytes(json)), message));
      }),
      { numRuns: 100 },
    );
  });
}

test('whatever the bytes, it decodes or names what is wrong', () => {
  const mutated = fc
    .tuple(arbitraryMessage(IngestSensorEventsRequestSchema), fc.nat(), fc.nat({ max: 255 }))
    .map(([message, at, byte]) => {
      const body = bytes(createEncoder(IngestSensorEventsRequestSchema)(message));
      body[at % body.length] = byte;
      return body;
    });
  fc.assert(
    fc.property(fc.oneof(mutated, fc.uint8Array()), (body) => void faults(decodeEventsByRules, body)),
    {
      numRuns: 300,
    },
  );
});
