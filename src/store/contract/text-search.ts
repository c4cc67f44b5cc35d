// Rules of searching by text: where a term may match, and that user text is never syntax.

import assert from 'node:assert/strict';
import type { IndicatorFilter } from '../../domain/filter.ts';
import type { Indicator } from '../../domain/indicator/indicator.ts';
import { matchesText } from '../../domain/indicator/matching.ts';
import { parseTextQuery } from '../../domain/text-query.ts';
import type { TlpMarking } from '../../domain/vocabulary.ts';
import { isOutOfTime } from '../patience.ts';
import type { Stores } from '../stores.ts';
import { anIndicator, aSummary, criteriaOf, save, valueIn } from './fixtures.ts';
import type { Rule } from './rule.ts';

/** Characters and words with a meaning in search engines, databases or patterns. */
const SYNTAX = [
  '"',
  '""',
  '"unclosed quote',
  "'",
  '*',
  'abc*',
  '(',
  ')',
  '{}',
  ':',
  'tokens:abc',
  '^abc',
  '-abc',
  '+abc',
  'a AND b',
  'AND',
  'OR',
  'NOT abc',
  'NEAR(abc def)',
  'NEAR',
  'abc OR',
  '%',
  '_%_',
  '\\',
  '\u0000',
  'abc\u0000def',
  ';--',
  '$1',
  '?1',
  '[a-z]',
  '.*',
  '😀',
  '😀😀😀',
  '\ud800',
];

export function describeTextSearch(rule: Rule): void {
  rule('a term is found inside the value and inside a tag, in any case', async ({ stores }) => {
    await save(stores, [
      { value: 'C2.Evil.example' },
      { value: 'tagged', tags: ['first', 'The Evil Bit'] },
      { value: 'good.example' },
    ]);
    assert.deepEqual(await found(stores, 'EVIL'), ['tagged', 'C2.Evil.example']);
    assert.deepEqual(await found(stores, '2.evil.e'), ['C2.Evil.example']);
    assert.deepEqual(await found(stores, 'example'), ['good.example', 'C2.Evil.example']);
    assert.deepEqual(await found(stores, 'firstthe'), []);
    assert.deepEqual(await found(stores, ''), ['good.example', 'tagged', 'C2.Evil.example']);
  });

  rule(
    'a term is found where it stands in one piece, not where its parts stand apart',
    async ({ stores }) => {
      await save(stores, [
        { value: 'abcd-bcde' },
        { value: 'abc', tags: ['bcd', 'cde'] },
        { value: 'xabcdex' },
      ]);
      assert.deepEqual(await found(stores, 'abcde'), ['xabcdex']);
    },
  );

  rule('a term is found as a whole word of the summary', async ({ stores }) => {
    await save(stores, [
      { value: 'v', enrichment: aSummary('Writes coils; seen with Bot-Net 7. ÜBERLAUF!') },
    ]);
    for (const query of [
      'coils',
      'WRITES',
      'bot-net',
      '"net 7"',
      '"7 bot coils"',
      'überlauf',
      'coils, seen',
    ]) {
      assert.deepEqual(await found(stores, query), ['v'], query);
    }
    for (const query of ['coil', 'oils', '"coils water"', 'botnet', 'writescoils', '...', 'überlaufe']) {
      assert.deepEqual(await found(stores, query), [], query);
    }
  });

  rule(
    'an observable is found as a whole, never inside a longer one or by its pieces',
    async ({ stores }) => {
      const summary = aSummary('1.1.1.1 and 1 more of evil.example');
      await save(stores, [
        { value: '1.1.1.1', type: 'IPV4' },
        { value: 'http://1.1.1.1:80/a?b', type: 'URL' },
        { value: 'http://x.example/get?from=1.1.1.1', type: 'URL' },
        { value: '1.1.1.1/32', type: 'CIDR' },
        ...[
          '11.1.1.1',
          '1.1.1.11',
          '1.1.1.1.example',
          'http://1.1.1.1.example/',
          'http://x.example/%31.1.1.1',
        ].map((value) => ({ value })),
        { value: 'other.example', tags: ['see 1.1.1.1'], enrichment: summary },
        { value: 'tagged.example', tags: ['1.1.1.1'] },
      ]);
      const wholes = [
        'tagged.example',
        '1.1.1.1/32',
        'http://x.example/get?from=1.1.1.1',
        'http://1.1.1.1:80/a?b',
        '1.1.1.1',
      ];
      for (const query of ['1.1.1.1', '1[.]1[.]1[.]1']) assert.deepEqual(await found(stores, query), wholes);
      assert.deepEqual(await found(stores, 'evil.example'), []);
      assert.deepEqual(await found(stores, '1.1.1.1/32'), ['1.1.1.1/32']);
      assert.deepEqual(await found(stores, 'http://1.1.1.1:80/a?b'), []);
      // Without the last part it is no address: any text that goes on with it.
      assert.deepEqual(await found(stores, '11.1.1.'), ['11.1.1.1']);
    },
  );

  rule('a URL without a scheme is the whole of one with any scheme', async ({ stores }) => {
    const values = [
      'http://a.example/x',
      'https://a.example/x',
      'https://a.example/xy',
      'http://b.a.example/x',
    ];
    await save(
      stores,
      values.map((value) => ({ value, type: 'URL' })),
    );
    assert.deepEqual(await found(stores, 'a.example/x'), values.slice(0, 2).toReversed());
    assert.deepEqual(await found(stores, 'hxxps://A.example/x'), values.slice(1, 2));
    assert.deepEqual(await found(stores, 'ample/x'), values.toReversed());
  });

  rule('a term with a dot, dash or slash is found in the summary in one piece only', async ({ stores }) => {
    await save(stores, [
      { value: 'one', enrichment: aSummary('T1110.001 by ssh-2, /bin/sh -c run') },
      { value: 'apart', enrichment: aSummary('T1110, 001 by ssh 2, bin, sh') },
    ]);
    for (const query of ['t1110.001', 'ssh-2', '/bin/sh', 'bin/sh', '/bin', '"/bin/sh -c"', '"ssh-2, /bin"'])
      assert.deepEqual(await found(stores, query), ['one'], query);
    for (const query of ['t1110.00', '1110.001', 'n/sh', '"bin/sh run"', '"by ssh- 2"'])
      assert.deepEqual(await found(stores, query), [], query);
    assert.deepEqual(await found(stores, 'ssh'), ['apart', 'one']);
  });

  rule('all terms must match, each wherever it does', async ({ stores }) => {
    await save(stores, [
      { value: 'evil.example', tags: ['scanner'], enrichment: aSummary('seen over modbus') },
      { value: 'evil.test', tags: ['scanner'] },
    ]);
    assert.deepEqual(await found(stores, 'evil scan modbus'), ['evil.example']);
    assert.deepEqual(await found(stores, 'evil scan'), ['evil.test', 'evil.example']);
    assert.deepEqual(await found(stores, 'evil scan dnp3'), []);
  });

  rule('a quoted phrase is one term, its white space folded', async ({ stores }) => {
    await save(stores, [
      { value: 'a', tags: ['water plant north'] },
      { value: 'b', tags: ['plant', 'water'] },
    ]);
    assert.deepEqual(await found(stores, 'water plant'), ['b', 'a']);
    assert.deepEqual(await found(stores, '"water  plant"'), ['a']);
    assert.deepEqual(await found(stores, '"water plant'), ['a']);
  });

  rule(
    'a term of one or two characters matches from the start of value, tags and summary words',
    async ({ stores }) => {
      await save(stores, [
        {
          value: '192.0.2.1',
          tags: ['plc', 's7 plc', '😀😎🤖', 'two\nlines'],
          enrichment: aSummary('Über Moskau 世界'),
        },
      ]);
      for (const query of [
        '1',
        '19',
        'p',
        'PL',
        's7',
        'S',
        'ü',
        'ÜB',
        'mo',
        '世',
        '世界',
        '😀',
        '😀😎',
        'tw',
      ]) {
        assert.deepEqual(await found(stores, query), ['192.0.2.1'], query);
      }
      for (const query of ['92', '2', 'lc', 'os', '界', '😎', '7', 'pm', '.', 'li']) {
        assert.deepEqual(await found(stores, query), [], query);
      }
    },
  );

  rule('three characters are enough to match inside, whatever their length in bytes', async ({ stores }) => {
    await save(stores, [{ value: 'aжжжb', tags: ['x世界语y', '1😀😎🤖2'] }]);
    for (const query of ['жжж', 'ЖЖЖ', '世界语', '😀😎🤖', 'жжb']) {
      assert.deepEqual(await found(stores, query), ['aжжжb'], query);
    }
    for (const query of ['жжжж', '世语界', '😎😀🤖']) assert.deepEqual(await found(stores, query), [], query);
  });

  rule('defanged terms find plain values', async ({ stores }) => {
    await save(stores, [{ type: 'URL', value: 'http://c2.evil.example/a' }, { value: 'user@evil.example' }]);
    assert.deepEqual(await found(stores, 'hxxp://c2[.]evil[.]example/a'), ['http://c2.evil.example/a']);
    assert.deepEqual(await found(stores, 'HXXP[:]//C2(dot)evil.example/a'), ['http://c2.evil.example/a']);
    assert.deepEqual(await found(stores, 'user[@]evil[.]example'), ['user@evil.example']);
  });

  rule('nothing typed is syntax: it finds what holds it literally, and never fails', async ({ stores }) => {
    const indicators = SYNTAX.map((text, index) => {
      const carrier = { value: `${index}: ${text}`, tags: [text] };
      return index % 2 === 0 ? carrier : { ...carrier, enrichment: aSummary(text) };
    });
    await save(stores, indicators);
    for (const text of SYNTAX) {
      for (const query of [text, `"${text}"`, `abc ${text}`, `${text}${text}${text}`]) {
        const terms = parseTextQuery(query);
        const expected = indicators.filter((changes) => matchesText(anIndicator(changes), terms));
        assert.deepEqual(
          await found(stores, query),
          expected.map(({ value }) => JSON.parse(JSON.stringify(value))).toReversed(),
          query,
        );
      }
    }
  });

  rule('long values, words and queries are found like short ones', async ({ stores }) => {
    const path = Array.from({ length: 300 }, (_, index) => index.toString(36)).join('/');
    const word = 'pneumonoultramicroscopicsilicovolcanoconiosis'.repeat(3);
    await save(stores, [{ value: `https://example.com/${path}`, enrichment: aSummary(`a ${word} b`) }]);
    const value = [`https://example.com/${path}`];
    assert.deepEqual(await found(stores, path), value);
    assert.deepEqual(await found(stores, word), value);
    assert.deepEqual(await found(stores, `${word}x`), []);
    const many = Array.from({ length: 20 }, (_, index) => path.slice(index * 40, index * 40 + 40)).join(' ');
    assert.deepEqual(await found(stores, many), value);
    assert.deepEqual(await found(stores, `${many} nowhere`), []);
  });

  rule('an update takes the old words, tags and parts of the text away', async ({ stores }) => {
    await save(stores, [
      { value: 'v.example', tags: ['old tag', 'both'], enrichment: aSummary('old summary') },
    ]);
    await save(stores, [
      { value: 'v.example', tags: ['new tag', 'both'], enrichment: aSummary('new summary') },
    ]);
    for (const query of ['old', 'ol', '"old tag"', 'old summary']) {
      assert.deepEqual(await found(stores, query), [], query);
    }
    for (const query of ['new', 'ne', '"new tag"', 'summary', 'both', 'v.e']) {
      assert.deepEqual(await found(stores, query), ['v.example'], query);
    }
  });

  rule('a text narrows a filter, below the ceiling', async ({ stores }) => {
    await save(stores, [
      { value: 'a.evil.example', type: 'URL' },
      { value: 'b.evil.example', tlp: 'AMBER' },
      { value: 'c.evil.example', confidenceScore: 55 },
      { value: 'd.good.example' },
    ]);
    assert.deepEqual(await found(stores, 'evil', { types: ['DOMAIN'] }), [
      'c.evil.example',
      'b.evil.example',
    ]);
    assert.deepEqual(await found(stores, 'evil', { types: ['DOMAIN'] }, 'GREEN'), ['c.evil.example']);
    assert.deepEqual(await found(stores, 'evil', { minConfidenceScore: 53 }), ['c.evil.example']);
  });

  rule('a search that outlasts its patience is given up, and the next one is not', async ({ stores }) => {
    await save(stores, [{ value: 'a.evil.example', confidenceScore: 95 }]);
    const { indicators } = stores;
    const rare = criteriaOf({ minConfidenceScore: 99 }, 'evil');
    await assert.rejects(indicators.search(rare, 10, undefined, 0), isOutOfTime);
    await assert.rejects(indicators.count(rare, 10, 0), isOutOfTime);
    assert.deepEqual(await found(stores, 'evil'), ['a.evil.example']);
    // No row has to be examined.
    const absent = criteriaOf({}, 'absent');
    assert.deepEqual(await indicators.search(absent, 10, undefined, 0), { rows: [], more: false });
  });
}

/** The values of the matches, newest first. Checks the count too. */
async function found(
  stores: Stores,
  query: string,
  filter: Partial<IndicatorFilter> = {},
  ceiling: TlpMarking = 'RED',
): Promise<Indicator['value'][]> {
  const criteria = criteriaOf(filter, query, ceiling);
  const { rows } = await stores.indicators.search(criteria, 1_000);
  assert.equal(await stores.indicators.count(criteria, 1_000), rows.length);
  return rows.map(({ document }) => valueIn(document));
}
