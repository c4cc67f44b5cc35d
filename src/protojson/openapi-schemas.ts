// The schemas of the OpenAPI document, made from the messages and enumerations of the contract. Limits are those of the
// decoders. In a message that only answers contain, everything is required that the encoder always writes.

import { type DescEnum, type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { FIELD_RULES, type FieldRule, type FieldRules, type TextRule } from './field-rules.ts';
import { isImplicit, isTimestamp, WHOLE_RANGES } from './field-types.ts';

export type Schema = Record<string, unknown>;

/** Formats of Protobuf gateways: a uint32 needs the range of int64, and a uint64 is a decimal string. */
const SCALAR_SCHEMAS: ReadonlyMap<ScalarType, Schema> = new Map<ScalarType, Schema>([
  [ScalarType.STRING, { type: 'string' }],
  [ScalarType.BOOL, { type: 'boolean' }],
  [ScalarType.DOUBLE, { type: 'number', format: 'double' }],
  [ScalarType.INT32, { type: 'integer', format: 'int32', ...wholeLimits(ScalarType.INT32) }],
  [ScalarType.UINT32, { type: 'integer', format: 'int64', ...wholeLimits(ScalarType.UINT32) }],
  [ScalarType.INT64, { type: 'string', format: 'int64' }],
  [ScalarType.UINT64, { type: 'string', format: 'uint64' }],
]);

function wholeLimits(scalar: ScalarType): Schema {
  const range = WHOLE_RANGES.get(scalar);
  return range === undefined ? {} : { minimum: Number(range.minimum), maximum: Number(range.maximum) };
}

/** Ranges of numbers in answers. Decoders need no rule for them. */
const ANSWER_RANGES: FieldRules = {
  'threatintel.v1.ThreatIndicator.confidence_score': { range: [0, 100] },
  'threatintel.v1.ThreatSource.reliability': { range: [0, 1] },
  'threatintel.v1.Enrichment.risk_score': { range: [0, 1] },
  'threatintel.v1.GeoLocation.latitude': { range: [-90, 90] },
  'threatintel.v1.GeoLocation.longitude': { range: [-180, 180] },
  'threatintel.v1.ApiKey.reliability': { range: [0, 1] },
};

/** Messages and timestamps that every answer has. The encoder leaves out others that are not set. */
const ALWAYS_SET: ReadonlySet<string> = new Set([
  'threatintel.v1.SearchIndicatorsResponse.page_info',
  'threatintel.v1.ThreatIndicator.first_seen',
  'threatintel.v1.ThreatIndicator.last_seen',
  'threatintel.v1.ThreatIndicator.created_at',
  'threatintel.v1.ThreatIndicator.updated_at',
  'threatintel.v1.ThreatSource.reported_at',
  'threatintel.v1.Sighting.observed_at',
  'threatintel.v1.EvidenceValue.first_seen',
  'threatintel.v1.EvidenceValue.last_seen',
  'threatintel.v1.IndicatorLink.first_seen',
  'threatintel.v1.IndicatorLink.last_seen',
  'threatintel.v1.ApiKey.created_at',
  'threatintel.v1.CreateApiKeyResponse.api_key',
  'threatintel.v1.RotateApiKeyResponse.api_key',
  'threatintel.v1.UsageRecord.start',
  'threatintel.v1.UsageRecord.end',
]);

/** Collects the schemas that the operations need. */
export class SchemaCollection {
  readonly #schemas = new Map<string, Schema>();
  readonly #comments: Readonly<Record<string, string>>;
  /** Messages that requests contain. */
  readonly #asked: ReadonlySet<string>;

  /** @param requests the messages of all requests. */
  constructor(comments: Readonly<Record<string, string>>, requests: readonly DescMessage[]) {
    this.#comments = comments;
    const asked = new Set<string>();
    for (const message of requests) addMessages(message, asked);
    this.#asked = asked;
  }

  /** The schemas by name. */
  get components(): Readonly<Record<string, Schema>> {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  add(name: string, schema: Schema): Schema {
    this.#schemas.set(name, schema);
    return { $ref: `#/components/schemas/${name}` };
  }

  reference(message: DescMessage): Schema {
    const name = schemaName(message);
    if (!this.#schemas.has(name)) {
      // The name is set first, so that a message that contains itself ends the recursion.
      this.add(name, {});
      this.add(name, this.object(message, message.fields));
    }
    return { $ref: `#/components/schemas/${name}` };
  }

  /** @param members rules for the fields of this message here only. */
  object(message: DescMessage, fields: readonly DescField[], members: FieldRules = {}): Schema {
    const ruleOf = (field: DescField): FieldRule => members[field.name] ?? ownRuleOf(field);
    const isAnswer = !this.#asked.has(message.typeName);
    const required = fields.filter((field) =>
      isAnswer ? isAlwaysWritten(field) : ruleOf(field).required === true,
    );
    return {
      type: 'object',
      description: this.#comments[message.typeName],
      properties: Object.fromEntries(
        fields.map((field) => [field.jsonName, this.field(field, ruleOf(field))]),
      ),
      ...(required.length === 0 ? {} : { required: required.map(({ jsonName }) => jsonName) }),
    };
  }

  field(field: DescField, rule: FieldRule = ownRuleOf(field)): Schema {
    const description = this.#comments[`${field.parent.typeName}.${field.name}`];
    const element = { ...this.#element(field, rule), ...textLimits(rule.text), ...rangeLimits(rule) };
    if (field.fieldKind === 'list') {
      const limits = defined({ minItems: rule.minItems, maxItems: rule.maxItems });
      return { type: 'array', items: element, ...limits, description };
    }
    if (field.fieldKind === 'map') {
      const limits = defined({ minProperties: rule.minItems, maxProperties: rule.maxItems });
      const names = rule.keys === undefined ? {} : { propertyNames: textLimits(rule.keys) };
      return { type: 'object', additionalProperties: element, ...names, ...limits, description };
    }
    return { ...element, description };
  }

  /** The schema of a single field, of the elements of a list, or of the values of a map. */
  #element(field: DescField, { members }: FieldRule): Schema {
    if (field.enum !== undefined) return this.#enum(field.enum);
    if (field.message === undefined) return SCALAR_SCHEMAS.get(field.scalar) ?? {};
    if (isTimestamp(field.message)) return { type: 'string', format: 'date-time' };
    return members === undefined
      ? this.reference(field.message)
      : this.object(field.message, field.message.fields, members);
  }

  #enum(desc: DescEnum): Schema {
    const values = desc.values.map((value) => value.name);
    const notes = desc.values.flatMap((value) => {
      const note = this.#comments[`${desc.typeName}.${value.name}`];
      return note === undefined ? [] : [`- ${value.name}: ${note}`];
    });
    const description = [this.#comments[desc.typeName] ?? '', ...notes].join('\n');
    return this.add(schemaName(desc), { type: 'string', enum: values, default: values[0], description });
  }
}

/** A field whose rule has members has a schema of its own, so its message is not shared with the requests. */
function addMessages(message: DescMessage, names: Set<string>): void {
  if (isTimestamp(message) || names.has(message.typeName)) return;
  names.add(message.typeName);
  for (const field of message.fields) {
    if (field.message !== undefined && ownRuleOf(field).members === undefined)
      addMessages(field.message, names);
  }
}

function isAlwaysWritten(field: DescField): boolean {
  if (field.fieldKind === 'list' || field.fieldKind === 'map') return true;
  if (field.fieldKind === 'message') return ALWAYS_SET.has(nameOf(field));
  return isImplicit(field);
}

/** The name without its package. A nested type has the name of its parent in front. */
function schemaName(desc: DescMessage | DescEnum): string {
  return desc.typeName.slice(desc.file.proto.package.length + 1).replaceAll('.', '');
}

function nameOf(field: DescField): string {
  return `${field.parent.typeName}.${field.name}`;
}

function ownRuleOf(field: DescField): FieldRule {
  return FIELD_RULES[nameOf(field)] ?? ANSWER_RANGES[nameOf(field)] ?? {};
}

function textLimits(rule: TextRule | undefined): Schema {
  return rule === undefined ? {} : defined({ minLength: rule.min, maxLength: rule.max });
}

function rangeLimits({ range }: FieldRule): Schema {
  return range === undefined ? {} : { minimum: range[0], maximum: range[1] };
}

function defined(members: Readonly<Record<string, number | undefined>>): Schema {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
