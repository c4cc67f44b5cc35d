// Rules of searching by filter: each member alone, lists, bounds, all members together, and the ceiling.

import assert from 'node:assert/strict';
import type { IndicatorFilter, TimeWindow } from '../../domain/filter.ts';
import type { Enrichment, Indicator, ThreatSource } from '../../domain/indicator/indicator.ts';
import { DAY } from '../../domain/instant.ts';
import { isVisible } from '../../domain/tlp.ts';
import {
  INDICATOR_STATES,
  INDICATOR_TYPES,
  PROTOCOLS,
  SENSOR_TYPES,
  SEVERITIES,
  THREAT_CATEGORIES,
  TLP_MARKINGS,
  type TlpMarking,
} from '../../domain/vocabulary.ts';
import type { Stores } from '../stores.ts';
import { aSummary, criteriaOf, NOW, save, valueIn } from './fixtures.ts';
import type { Rule } from './rule.ts';

const SINGLE_VALUED = [
  { member: 'types', field: 'type', names: INDICATOR_TYPES },
  { member: 'states', field: 'state', names: INDICATOR_STATES },
  { member: 'protocols', field: 'protocol', names: PROTOCOLS },
  { member: 'sensorTypes', field: 'sensorType', names: SENSOR_TYPES },
] as const;

/** Instants for the bounds of windows: days, months, years, leap days, before 1970 and far in the future. */
const EDGES = [
  Date.parse('0001-01-01T00:00:00Z'),
  Date.parse('0051-01-01T00:00:00Z'),
  Date.UTC(1950, 5, 1),
  -1,
  0,
  Date.UTC(2023, 11, 31, 23, 59, 59, 999),
  Date.UTC(2024, 0, 1),
  Date.UTC(2024, 1, 29),
  Date.UTC(2024, 2, 1) - 1,
  Date.UTC(2024, 2, 1),
  Date.UTC(2024, 2, 1) + 1,
  Date.UTC(2025, 0, 1) - 1,
  Date.UTC(2025, 0, 1),
  Date.UTC(2026, 6, 15, 12),
  Date.UTC(2075, 0, 1),
  Date.UTC(9999, 11, 31, 23, 59, 59, 999),
];

export function describeFilter(rule: Rule): void {
  for (const { member, field, names } of SINGLE_VALUED) {
    rule(
      `${member}: each name finds its own, UNSPECIFIED those without, a list any of them`,
      async ({ stores }) => {
        await save(
          stores,
          names.map((name) => ({ value: name, [field]: name }) as Partial<Indicator>),
        );
        const search = (wanted: readonly string[]) =>
          found(stores, { [member]: wanted } as Partial<IndicatorFilter>);
        for (const name of names) assert.deepEqual(await search([name]), [name]);
        const [unspecified, first] = names;
        assert.deepEqual(await search([unspecified, first, first]), [first, unspecified]);
        assert.deepEqual(await search(names), names.toReversed());
        assert.deepEqual(await search([]), names.toReversed());
      },
    );
  }

  rule(
    'categories: any of the list among any of the indicator; UNSPECIFIED those without',
    async ({ stores }) => {
      await save(stores, [
        { value: 'none', categories: [] },
        { value: 'two', categories: ['MALWARE', 'PROXY'] },
        ...THREAT_CATEGORIES.slice(1).map((name) => ({ value: name, categories: [name] })),
      ]);
      assert.deepEqual(await found(stores, { categories: ['UNSPECIFIED'] }), ['none']);
      assert.deepEqual(await found(stores, { categories: ['PROXY'] }), ['PROXY', 'two']);
      assert.deepEqual(await found(stores, { categories: ['SPAM', 'UNSPECIFIED'] }), ['SPAM', 'none']);
      assert.deepEqual(await found(stores, { categories: ['MALWARE', 'PROXY'] }), [
        'PROXY',
        'MALWARE',
        'two',
      ]);
    },
  );

  rule('minSeverity is a floor, and UNSPECIFIED is none', async ({ stores }) => {
    await save(
      stores,
      SEVERITIES.map((severity) => ({ value: severity, severity })),
    );
    for (const [number, minSeverity] of SEVERITIES.entries()) {
      assert.deepEqual(await found(stores, { minSeverity }), SEVERITIES.slice(number).toReversed());
    }
  });

  rule('minConfidenceScore is a floor that is exact at and around tens', async ({ stores }) => {
    const scores = [0, 1, 9, 10, 11, 49, 50, 51, 89, 90, 91, 99, 100];
    await save(
      stores,
      scores.map((confidenceScore) => ({ value: `${confidenceScore}`, confidenceScore })),
    );
    for (const floor of [0, 1, 2, 9, 10, 11, 12, 20, 49, 50, 51, 89, 90, 91, 98, 99, 100]) {
      const expected = scores.filter((score) => score >= floor).map(String);
      assert.deepEqual(await found(stores, { minConfidenceScore: floor }), expected.toReversed(), `${floor}`);
    }
  });

  rule('tags are compared whole and exactly, whatever is written in them', async ({ stores }) => {
    const tags = [
      'ics',
      'ICS',
      'ics ',
      'ic',
      '"',
      "'",
      '*',
      '',
      'tag with words',
      'ж',
      '😀',
      'x'.repeat(500),
    ];
    await save(
      stores,
      tags.map((tag) => ({ value: `<${tag}>`, tags: ['shared', tag] })),
    );
    for (const tag of tags) assert.deepEqual(await found(stores, { tags: [tag] }), [`<${tag}>`]);
    assert.deepEqual(await found(stores, { tags: ['ICS', 'nobody', 'ics'] }), ['<ICS>', '<ics>']);
    assert.equal((await found(stores, { tags: ['shared'] })).length, tags.length);
    assert.deepEqual(await found(stores, { tags: ['x'.repeat(499)] }), []);
  });

  rule('sourceIds find by the id of any source, not by its name', async ({ stores }) => {
    await save(stores, [
      { value: 'a', sources: [source('s-1'), source('s-2')] },
      { value: 'b', sources: [source('s-2')] },
      { value: 'c', sources: [] },
    ]);
    assert.deepEqual(await found(stores, { sourceIds: ['s-1'] }), ['a']);
    assert.deepEqual(await found(stores, { sourceIds: ['s-2'] }), ['b', 'a']);
    assert.deepEqual(await found(stores, { sourceIds: ['s-1', 's-3'] }), ['a']);
    assert.deepEqual(await found(stores, { sourceIds: ['name of s-1'] }), []);
  });

  rule(
    'sourceIds find by the reporter of a source, not by what the reporter called it',
    async ({ stores }) => {
      await save(stores, [
        { value: 'a', sources: [source('r-1#CISA')] },
        { value: 'b', sources: [source('r-1'), source('r-2#CISA')] },
        { value: 'c', sources: [source('CISA')] },
      ]);
      assert.deepEqual(await found(stores, { sourceIds: ['r-1'] }), ['b', 'a']);
      assert.deepEqual(await found(stores, { sourceIds: ['r-2#CISA'] }), ['b']);
      assert.deepEqual(await found(stores, { sourceIds: ['CISA'] }), ['c']);
    },
  );

  rule('labels are found by key, or by key and value', async ({ stores }) => {
    await save(stores, [
      { value: 'a', labels: [{ key: 'site', value: 'north' }] },
      {
        value: 'b',
        labels: [
          { key: 'site', value: 'NORTH' },
          { key: 'unit', value: '' },
        ],
      },
      { value: 'c', labels: [{ key: 'site=north', value: 'x'.repeat(1_000) }] },
    ]);
    assert.deepEqual(await found(stores, { labels: ['site'] }), ['b', 'a']);
    assert.deepEqual(await found(stores, { labels: ['site=north'] }), ['c', 'a']);
    assert.deepEqual(await found(stores, { labels: ['unit='] }), ['b']);
    assert.deepEqual(await found(stores, { labels: ['north', 'sit'] }), []);
    assert.deepEqual(await found(stores, { labels: [`site=north=${'x'.repeat(1_000)}`] }), ['c']);
  });

  rule(
    'intents and verdicts: any of the list; UNSPECIFIED those without, below the ceiling',
    async ({ stores }) => {
      await save(stores, [
        { value: 'none' },
        { value: 'hidden', tlp: 'RED' },
        ...['read', 'control'].map((value) => ({ value, labels: [{ key: 'intent', value }] })),
      ]);
      assert.deepEqual(await found(stores, { intents: ['CONTROL', 'WRITE'] }), ['control']);
      assert.deepEqual(await found(stores, { intents: ['UNSPECIFIED'] }), ['hidden', 'none']);
      assert.deepEqual(await found(stores, { intents: ['READ', 'UNSPECIFIED'] }, 'GREEN'), ['read', 'none']);
      await save(stores, [{ value: 'scan', labels: [{ key: 'verdict', value: 'scanner' }] }]);
      assert.deepEqual(await found(stores, { verdicts: ['BENIGN', 'SCANNER'] }), ['scan']);
      assert.deepEqual(await found(stores, { verdicts: ['UNSPECIFIED'] }, 'GREEN'), [
        'control',
        'read',
        'none',
      ]);
    },
  );

  rule(
    'what the enrichers found: countries, autonomous systems, techniques, families',
    async ({ stores }) => {
      const enriched = (value: string, found: Partial<Enrichment>) => ({
        value,
        enrichment: { ...aSummary(''), ...found },
      });
      await save(stores, [
        { value: 'raw' },
        enriched('germany', {
          geo: { countryCode: 'DE', city: 'Bonn' },
          asn: { number: 64_496, organization: 'x' },
        }),
        enriched('brute', { attackTechniques: ['T1110.001'], malwareFamilies: ['Mirai'] }),
        enriched('old', { attackTechniques: ['T0855'], malwareFamilies: ['Industroyer 2'] }),
        enriched('new', { attackTechniques: ['T1692.001'] }),
      ]);
      assert.deepEqual(await found(stores, { countryCodes: ['DE', 'FR'] }), ['germany']);
      assert.deepEqual(await found(stores, { asns: [64_496] }), ['germany']);
      assert.deepEqual(await found(stores, { asns: [6_449] }), []);
      assert.deepEqual(await found(stores, { attackTechniques: ['T1110'] }), ['brute']);
      assert.deepEqual(await found(stores, { attackTechniques: ['T1110.003'] }), []);
      for (const id of ['T0855', 'T1692.001', 'T1692'])
        assert.deepEqual(await found(stores, { attackTechniques: [id] }), ['new', 'old'], id);
      assert.deepEqual(await found(stores, { malwareFamilies: ['MIRAI'] }), ['brute']);
      assert.deepEqual(await found(stores, { malwareFamilies: ['industroyer 2', 'nobody'] }), ['old']);
    },
  );

  rule('lastSeenWindow is half-open at every edge, either side may be missing', async ({ stores }) => {
    const instants = EDGES.flatMap((edge) => [edge - 1, edge, edge + 1]);
    await save(
      stores,
      instants.map((lastSeen, index) => ({ value: `${index}`, lastSeen })),
    );
    const check = async (window: TimeWindow) => {
      const expected = instants.flatMap((instant, index) => (isWithin(window, instant) ? [`${index}`] : []));
      const actual = await found(stores, { lastSeenWindow: window });
      assert.deepEqual(actual, expected.toReversed(), JSON.stringify(window));
    };
    for (const start of EDGES) {
      await check({ start });
      await check({ end: start });
      for (const end of EDGES.filter((edge) => edge >= start)) await check({ start, end });
    }
  });

  rule('createdWindow is half-open, on indicators made in one instant too', async ({ stores }) => {
    const instants = [NOW, NOW, NOW, NOW + 1, NOW + 10, NOW + 10];
    await save(
      stores,
      instants.map((createdAt, index) => ({ value: `${index}`, createdAt })),
    );
    const edges = [NOW - 1, NOW, NOW + 1, NOW + 2, NOW + 10, NOW + 11];
    for (const start of [undefined, ...edges]) {
      for (const end of [undefined, ...edges]) {
        const window = { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) };
        const expected = instants.flatMap((instant, index) =>
          isWithin(window, instant) ? [`${index}`] : [],
        );
        for (const filter of [
          { createdWindow: window },
          { createdWindow: window, types: ['DOMAIN'] as const },
        ]) {
          assert.deepEqual(await found(stores, filter), expected.toReversed(), JSON.stringify(filter));
        }
      }
    }
  });

  rule('validAt leaves out what is stale: at validUntil itself and after it', async ({ stores }) => {
    await save(stores, [
      { value: 'never stale' },
      { value: 'before', validUntil: NOW - 1 },
      { value: 'at', validUntil: NOW },
      { value: 'after', validUntil: NOW + 1 },
    ]);
    assert.deepEqual(await found(stores, { validAt: NOW }), ['after', 'never stale']);
    assert.deepEqual(await found(stores, { validAt: NOW - 1 }), ['after', 'at', 'never stale']);
  });

  rule('all members that are set must hold', async ({ stores }) => {
    const wanted: Partial<Indicator> = {
      type: 'IPV4',
      categories: ['SCANNER', 'BOTNET'],
      severity: 'HIGH',
      confidenceScore: 73,
      state: 'ENRICHED',
      tags: ['ics', 'water'],
      lastSeen: NOW,
      sources: [source('s-1')],
      protocol: 'MODBUS',
      sensorType: 'ICS',
      createdAt: NOW,
      validUntil: NOW + 1,
    };
    // Each of these fails one member of the filter and no other.
    const others: readonly Partial<Indicator>[] = [
      { type: 'IPV6' },
      { categories: ['BOTNET'] },
      { severity: 'MEDIUM' },
      { confidenceScore: 72 },
      { state: 'SCORED' },
      { tags: ['water'] },
      { lastSeen: NOW - 1 },
      { sources: [source('s-2')] },
      { protocol: 'S7' },
      { sensorType: 'NETWORK' },
      { validUntil: NOW },
      { createdAt: NOW + 1 },
    ];
    await save(stores, [
      { ...wanted, value: 'wanted' },
      ...others.map((change, index) => ({ ...wanted, ...change, value: `other ${index}` })),
    ]);
    const filter: Partial<IndicatorFilter> = {
      types: ['IPV4'],
      categories: ['SCANNER', 'PROXY'],
      minSeverity: 'HIGH',
      minConfidenceScore: 73,
      states: ['ENRICHED', 'VERIFIED'],
      tags: ['ics'],
      lastSeenWindow: { start: NOW, end: NOW + 1 },
      sourceIds: ['s-1'],
      protocols: ['MODBUS'],
      sensorTypes: ['ICS'],
      createdWindow: { start: NOW, end: NOW + 1 },
      validAt: NOW,
    };
    assert.deepEqual(await found(stores, filter), ['wanted']);
    for (const member of Object.keys(filter)) {
      const { [member as keyof IndicatorFilter]: _, ...rest } = filter;
      assert.equal((await found(stores, rest)).length, 2, `without ${member}`);
    }
  });

  rule('an update moves an indicator out of the filters it no longer meets', async ({ stores }) => {
    await save(stores, [{ value: 'a', tags: ['old', 'kept'], state: 'RAW', lastSeen: NOW - 40 * DAY }]);
    await save(stores, [{ value: 'a', tags: ['kept', 'new'], state: 'SCORED', lastSeen: NOW }]);
    for (const filter of [
      { tags: ['old'] },
      { states: ['RAW'] as const },
      { lastSeenWindow: { start: NOW - 41 * DAY, end: NOW - 39 * DAY } },
    ]) {
      assert.deepEqual(await found(stores, filter), [], JSON.stringify(filter));
    }
    assert.deepEqual(await found(stores, { tags: ['kept'] }), ['a']);
    assert.deepEqual(await found(stores, { tags: ['new'], states: ['SCORED'] }), ['a']);
  });

  rule('an indicator that loses values with every update is found by the rest', async ({ stores }) => {
    for (const tags of [['a', 'b', 'c'], ['a', 'b'], ['a'], []]) {
      await save(stores, [{ value: 'v', tags }]);
      for (const tag of ['a', 'b', 'c']) {
        assert.deepEqual(await found(stores, { tags: [tag] }), tags.includes(tag) ? ['v'] : []);
      }
    }
  });

  rule(
    'a search and its count see nothing above the ceiling, with a filter, a text or neither',
    async ({ stores }) => {
      await save(
        stores,
        TLP_MARKINGS.map((tlp) => ({ value: tlp, tlp, tags: ['shared'] })),
      );
      for (const ceiling of TLP_MARKINGS) {
        const expected = TLP_MARKINGS.filter((tlp) => isVisible(tlp, ceiling)).toReversed();
        // An unmarked indicator counts as RED and was saved first.
        if (ceiling === 'RED') assert.equal(expected.at(-1), 'UNSPECIFIED');
        assert.deepEqual(await found(stores, {}, ceiling), expected, ceiling);
        assert.deepEqual(await found(stores, { types: ['DOMAIN'] }, ceiling), expected, ceiling);
        assert.deepEqual(await found(stores, { createdWindow: { start: NOW } }, ceiling), expected, ceiling);
        assert.deepEqual(await found(stores, { minConfidenceScore: 45 }, ceiling), expected, ceiling);
        assert.deepEqual(await found(stores, {}, ceiling, 'shared'), expected, ceiling);
      }
    },
  );
}

function source(id: string): ThreatSource {
  return { id, name: `name of ${id}`, reliability: 0.7, reportedAt: NOW };
}

function isWithin({ start, end }: TimeWindow, instant: number): boolean {
  return (start === undefined || instant >= start) && (end === undefined || instant < end);
}

/** The values of the matches, newest first. Checks the count too. */
async function found(
  stores: Stores,
  filter: Partial<IndicatorFilter>,
  ceiling: TlpMarking = 'RED',
  query = '',
): Promise<string[]> {
  const criteria = criteriaOf(filter, query, ceiling);
  const { rows, more } = await stores.indicators.search(criteria, 1_000);
  assert.equal(more, false);
  assert.equal(await stores.indicators.count(criteria, 1_000), rows.length);
  return rows.map(({ document }) => valueIn(document));
}
