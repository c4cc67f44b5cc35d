import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { namedSourceId, nameWithReporter, reporterId, reporterOf, shownName } from './source-name.ts';

/** Short texts of the characters that matter, so that collisions would occur. */
const text = fc.string({ unit: fc.constantFrom('a', '#', '%', '2', '3', '5', '|', '/'), maxLength: 6 });

test('two reporters never make the same source id', () => {
  fc.assert(
    fc.property(text, text, text, text, (reporter, named, otherReporter, otherNamed) => {
      fc.pre(reporter !== otherReporter);
      const id = namedSourceId(reporterId(reporter), named);
      const other = namedSourceId(reporterId(otherReporter), otherNamed);
      assert.notEqual(id, other);
      assert.notEqual(id, reporterId(otherReporter));
      assert.notEqual(reporterId(reporter), reporterId(otherReporter));
    }),
    { numRuns: 2_000 },
  );
});

test('the id of a source tells its reporter', () => {
  fc.assert(
    fc.property(text, text, (reporter, named) => {
      const id = reporterId(reporter);
      assert.equal(reporterOf(namedSourceId(id, named)), id);
      assert.equal(reporterOf(id), id);
    }),
  );
});

test('a name ends with the reporter, in the only parentheses it has', () => {
  assert.equal(nameWithReporter('CISA', 'reported', 'key soc'), 'CISA (reported by key soc)');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const shown = nameWithReporter(name, 'claimed', 'key x');
      assert.match(shown, /^[^()]* \(claimed by key x\)$/);
      // Nothing in the name changes how the reporter is shown. The two joiners are part of words.
      assert.doesNotMatch(shown, /(?![\u200c\u200d])[\p{C}\p{Zl}\p{Zp}]/u);
    }),
  );
});

test('a name cannot imitate the reporter of another source', () => {
  assert.equal(shownName('CISA (reported by key soc)'), 'CISA [reported by key soc]');
  assert.equal(shownName('CISA\uff08reported by key soc\uff09'), 'CISA[reported by key soc]');
  assert.equal(shownName('CISA\u202e)cos'), 'CISA\\u202e]cos');
  assert.equal(shownName(`  CISA${' '.repeat(200)}x\u00a0\u3000y `), 'CISA x y');
});
