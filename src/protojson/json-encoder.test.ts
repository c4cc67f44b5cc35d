// The encoder against the ProtoJSON of protobuf-es, except for -0.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { create, type DescMessage, toJson } from '@bufbuild/protobuf';
import fc from 'fast-check';
import {
  IndicatorFilterSchema,
  SearchIndicatorsRequestSchema,
  SearchIndicatorsResponseSchema,
} from '../gen/threatintel/v1/indicator_service_pb.ts';
import { GeoLocationSchema, SeveritySchema, ThreatIndicatorSchema } from '../gen/threatintel/v1/model_pb.ts';
import { ScoreReceiptSchema } from '../gen/threatintel/v1/score_receipt_pb.ts';
import {
  IngestSensorEventsRequestSchema,
  IngestSensorEventsResponseSchema,
} from '../gen/threatintel/v1/sensor_event_service_pb.ts';
import { createEncoder } from './json-encoder.ts';
import { arbitraryMessage } from './message-arbitrary.test-support.ts';

const MESSAGES: readonly DescMessage[] = [
  ThreatIndicatorSchema,
  SearchIndicatorsRequestSchema,
  SearchIndicatorsResponseSchema,
  ScoreReceiptSchema,
  IngestSensorEventsRequestSchema,
  IngestSensorEventsResponseSchema,
];

for (const desc of MESSAGES) {
  test(`${desc.name} is written byte for byte as protobuf-es writes it`, () => {
    const encode = createEncoder(desc);
    fc.assert(
      fc.property(arbitraryMessage(desc), (message) => {
        assert.equal(encode(message), JSON.stringify(toJson(desc, message, { alwaysEmitImplicit: true })));
      }),
      { numRuns: 100 },
    );
  });
}

test('what a plain value does not have is written as in an empty message', () => {
  for (const desc of MESSAGES) {
    const expected = JSON.stringify(toJson(desc, create(desc), { alwaysEmitImplicit: true }));
    assert.equal(createEncoder(desc)({}), expected);
  }
});

test('-0 keeps its sign, and what is not finite is text', () => {
  const encode = createEncoder(GeoLocationSchema);
  assert.equal(
    encode({ latitude: -0, longitude: Number.NaN }),
    '{"countryCode":"","city":"","latitude":-0,"longitude":"NaN"}',
  );
  assert.match(encode({ latitude: Number.NEGATIVE_INFINITY }), /"latitude":"-Infinity"/);
});

test('an enumeration is written by number, by vocabulary name, or by the number nobody named', () => {
  const encode = createEncoder<{ minSeverity: number | string }>(IndicatorFilterSchema);
  assert.match(encode({ minSeverity: 4 }), /"minSeverity":"SEVERITY_HIGH"/);
  assert.match(encode({ minSeverity: 'HIGH' }), /"minSeverity":"SEVERITY_HIGH"/);
  assert.match(encode({ minSeverity: 99 }), /"minSeverity":99/);
  assert.throws(() => encode({ minSeverity: 'SEVERE' }), TypeError);
  assert.equal(SeveritySchema.values.length, 6);
});
