// Limits of request fields, by full name. The decoders enforce them, the OpenAPI document states them, and the
// comments in proto/ say them in words.

import { EMPTY } from './violations.ts';

export interface TextRule {
  /** Characters (code points). */
  readonly min?: number;
  readonly max: number;
  /**
   * Whether control characters (C0, DEL, C1) are allowed. The default is `no-nul`, because no store keeps a NUL in
   * text.
   */
  readonly controls?: 'none' | 'no-nul' | 'any';
}

export interface FieldRule {
  readonly required?: true;
  /** Bounds of the elements of a list or the entries of a map. */
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Rule of a string, of each string in a list, or of each value of a map. */
  readonly text?: TextRule;
  readonly keys?: TextRule;
  /** Bounds of a number, both inclusive. */
  readonly range?: readonly [minimum: number, maximum: number];
  /** Rules for the fields of this message here only, by their names in the .proto file. */
  readonly members?: FieldRules;
}

export type FieldRules = Readonly<Record<string, FieldRule>>;

const FILTER_LIST: FieldRule = { maxItems: 100 };
const FILTER_TEXT_LIST: FieldRule = { maxItems: 100, text: { max: 256 } };
const PERCENT: FieldRule = { range: [0, 100] };
const CLIENT_ID: TextRule = { min: 1, max: 128, controls: 'none' };
const REQUEST_ID: FieldRule = { text: { max: 128, controls: 'none' } };

export const FIELD_RULES: FieldRules = {
  'threatintel.v1.SearchIndicatorsRequest.query': { text: { max: 1_000 } },
  'threatintel.v1.Pagination.page_token': { text: { max: 1_024 } },
  'threatintel.v1.IndicatorFilter.types': FILTER_LIST,
  'threatintel.v1.IndicatorFilter.categories': FILTER_LIST,
  'threatintel.v1.IndicatorFilter.min_confidence_score': PERCENT,
  'threatintel.v1.IndicatorFilter.states': FILTER_LIST,
  'threatintel.v1.IndicatorFilter.tags': FILTER_TEXT_LIST,
  'threatintel.v1.IndicatorFilter.source_ids': FILTER_TEXT_LIST,
  'threatintel.v1.IndicatorFilter.protocols': FILTER_LIST,
  'threatintel.v1.IndicatorFilter.sensor_types': FILTER_LIST,
  'threatintel.v1.IndicatorFilter.min_confidence': PERCENT,
  'threatintel.v1.IndicatorFilter.labels': { maxItems: 100, text: { max: 1_089 } },
  'threatintel.v1.IndicatorFilter.intents': FILTER_LIST,
  'threatintel.v1.IndicatorFilter.verdicts': FILTER_LIST,
  'threatintel.v1.IndicatorFilter.country_codes': FILTER_TEXT_LIST,
  'threatintel.v1.IndicatorFilter.asns': { maxItems: 100, range: [1, 4_294_967_295] },
  'threatintel.v1.IndicatorFilter.attack_techniques': FILTER_TEXT_LIST,
  'threatintel.v1.IndicatorFilter.malware_families': FILTER_TEXT_LIST,
  'threatintel.v1.AggregateIndicatorsRequest.query': { text: { max: 1_000 } },
  'threatintel.v1.AggregateIndicatorsRequest.facets': { maxItems: 20 },
  // A value that is no observable is answered with the reason, and the others are answered.
  'threatintel.v1.LookupIndicatorsRequest.values': {
    required: true,
    minItems: 1,
    maxItems: 10_000,
    // The bytes of the body are the bound.
    text: { max: 8_388_608, controls: 'any' },
  },
  'threatintel.v1.WatchIndicatorsRequest.last_event_id': { text: { max: 64 } },
  'threatintel.v1.GetRelatedIndicatorsRequest.hops': { range: [0, 2] },
  'threatintel.v1.VerifyIndicatorRequest.note': { text: { max: 2_000 } },
  'threatintel.v1.VerifyIndicatorRequest.request_id': REQUEST_ID,
  // A dispute needs a reason and its undoing does not, so the operation judges that.
  'threatintel.v1.DisputeIndicatorRequest.reason': { text: { max: 2_000 } },
  'threatintel.v1.DisputeIndicatorRequest.request_id': REQUEST_ID,
  'threatintel.v1.WithdrawIndicatorRequest.reason': { required: true, text: { min: 1, max: 2_000 } },
  'threatintel.v1.WithdrawIndicatorRequest.request_id': REQUEST_ID,
  'threatintel.v1.AddIndicatorNoteRequest.text': { required: true, text: { min: 1, max: 2_000 } },
  'threatintel.v1.AddIndicatorNoteRequest.request_id': REQUEST_ID,
  'threatintel.v1.IngestSensorEventsRequest.events': { required: true, minItems: 1, maxItems: 1_000 },
  'threatintel.v1.IngestSensorEventsRequest.request_id': REQUEST_ID,
  'threatintel.v1.SensorEvent.event_id': { required: true, text: CLIENT_ID },
  'threatintel.v1.SensorEvent.sensor_id': { required: true, text: CLIENT_ID },
  // A sensor may see any text. The pipeline refuses a value that is not an observable without refusing the other
  // events.
  'threatintel.v1.SensorEvent.value': { required: true, text: { min: 1, max: 4_096, controls: 'any' } },
  'threatintel.v1.SensorEvent.observed_at': { required: true },
  'threatintel.v1.SensorEvent.categories': { maxItems: 50 },
  'threatintel.v1.SensorEvent.tags': { maxItems: 50, text: { min: 1, max: 100, controls: 'none' } },
  // These limits hold for events only. Labels of indicators have other origins too, so Label has no rule.
  'threatintel.v1.SensorEvent.labels': {
    maxItems: 50,
    members: {
      key: { required: true, text: { min: 1, max: 64, controls: 'none' } },
      value: { text: { max: 1_024, controls: 'none' } },
    },
  },
  'threatintel.v1.SensorEvent.evidence': {
    maxItems: 50,
    keys: { min: 1, max: 64, controls: 'none' },
    text: { max: 1_024 },
  },
  'threatintel.v1.EventSource.id': { required: true, text: CLIENT_ID },
  'threatintel.v1.EventSource.name': { text: { max: 256, controls: 'none' } },
  'threatintel.v1.EventSource.reliability': { range: [0, 1] },
  'threatintel.v1.CreateApiKeyRequest.name': { required: true, text: { min: 1, max: 100, controls: 'none' } },
  'threatintel.v1.CreateApiKeyRequest.scopes': { maxItems: 20, text: { max: 64 } },
  'threatintel.v1.CreateApiKeyRequest.reliability': { range: [0, 1] },
  'threatintel.v1.CreateApiKeyRequest.sources': { maxItems: 50, text: CLIENT_ID },
  'threatintel.v1.CreateApiKeyRequest.source_ranges': { maxItems: 100, text: { max: 64 } },
  'threatintel.v1.CreateApiKeyRequest.request_id': REQUEST_ID,
  'threatintel.v1.ListApiKeysRequest.page_token': { text: { max: 128 } },
  'threatintel.v1.ListApiKeysRequest.ends_with_id': { text: { max: 128 } },
  'threatintel.v1.RotateApiKeyRequest.overlap_seconds': { range: [0, 31_536_000] },
  'threatintel.v1.RotateApiKeyRequest.request_id': REQUEST_ID,
  'threatintel.v1.GetUsageRequest.key_id': { text: { max: 1_024 } },
};

/** The same rules, except that these fields may be missing or empty. */
export function withOptional(rules: FieldRules, fields: readonly string[]): FieldRules {
  const relaxed = fields.map((name): [string, FieldRule] => {
    const { required, text, ...rule } = rules[name] ?? {};
    return [name, text === undefined ? rule : { ...rule, text: { ...text, min: 0 } }];
  });
  return { ...rules, ...Object.fromEntries(relaxed) };
}

const ANY_TEXT: TextRule = { max: Number.POSITIVE_INFINITY };

/** What is wrong with a string; undefined if it is valid. */
export function textFault(value: string, rule: TextRule = ANY_TEXT): string | undefined {
  const { min = 0, max, controls = 'no-nul' } = rule;
  // A code point has one or two units, so code points are counted only in between.
  if (value.length > max && (value.length > 2 * max || [...value].length > max)) {
    return `must have at most ${max} characters`;
  }
  if (value.length < min) return EMPTY;
  if (controls === 'none' && /\p{Cc}/u.test(value)) return 'must not contain control characters';
  if (controls === 'no-nul' && value.includes('\0')) return 'must not contain U+0000';
  return undefined;
}

/** What is wrong with a number; undefined if it is valid. */
export function rangeFault(value: number, rule: FieldRule): string | undefined {
  if (rule.range === undefined) return undefined;
  const [minimum, maximum] = rule.range;
  // Negated, so that NaN is out of range.
  return !(value >= minimum && value <= maximum) ? `must be from ${minimum} to ${maximum}` : undefined;
}

/** What is wrong with the size of a list or map; undefined if it is valid. */
export function sizeFault(size: number, rule: FieldRule): string | undefined {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = rule;
  if (size < minItems) return `must have at least ${minItems}`;
  return size > maxItems ? `must have at most ${maxItems}` : undefined;
}
