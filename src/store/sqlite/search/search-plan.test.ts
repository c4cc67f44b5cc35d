// Which tokens a search asks for. That it finds the right rows is tested by the contract of stores.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { criteriaOf, save } from '../../contract/fixtures.ts';
import { openTemporaryStore, type TemporaryStore } from '../../contract/temporary-store.test-support.ts';
import { Connection } from '../connection.ts';
import { dataFiles } from '../files.ts';
import { OpenFile } from '../open-file.ts';
import { createPlanner, type Planner } from './search-plan.ts';

const NOW = Date.UTC(2026, 2, 14);
const ROWS = 600;

describe('in a store of several hundred indicators', () => {
  let opened: TemporaryStore;
  let connection: Connection;
  let plan: Planner;

  before(async () => {
    opened = await openTemporaryStore(() => NOW);
    const numbers = Array.from({ length: ROWS }, (_, index) => index);
    await save(
      opened.stores,
      numbers.map((number) => ({
        value: `host-${number}.example`,
        tags: number % 50 === 0 ? ['rare'] : ['often'],
        confidenceScore: 45,
      })),
    );
    connection = new Connection(new OpenFile(dataFiles(opened.address).store), { readOnly: true });
    plan = createPlanner(connection);
    // The sample grows with each plan.
    for (const _ of numbers) plan(criteriaOf());
  });
  after(async () => {
    connection.close();
    await opened.dispose();
  });

  const tokensFor = (...asked: Parameters<typeof criteriaOf>) => {
    const { match = '', conditions } = plan(criteriaOf(...asked));
    return { tokens: match.split(/ AND /), conditions };
  };

  test('a term is asked for by its rare trigrams, and the row is checked for the rest', () => {
    const { tokens, conditions } = tokensFor({}, '-417.');
    // Of `-41`, `417` and `17.` any two leave next to nothing to check.
    assert.ok(tokens.length <= 2, tokens.join(' '));
    assert.ok(conditions.some((condition) => condition.includes('i.haystack')));
    // All rows have all of these.
    assert.equal(tokensFor({}, '.example').tokens.length, 1);
  });

  test('the rarest comes first', () => {
    const { tokens } = tokensFor({ tags: ['rare'], types: ['DOMAIN'], minConfidenceScore: 40 });
    assert.match(tokens[0] ?? '', /^g/);
    assert.equal(tokens.length, 3);
  });

  test('the ceiling is checked on the rows of a rare token, and asked for beside frequent ones', () => {
    assert.deepEqual(tokensFor({ tags: ['rare'] }, '', 'GREEN').conditions, []);
    assert.equal(tokensFor({ tags: ['rare'] }, '', 'GREEN').tokens.length, 2);
    const rarer = tokensFor({}, 'host-417.', 'GREEN');
    assert.ok(rarer.conditions.includes('i.audience & 2 <> 0'));
    assert.ok(!rarer.tokens.includes('l2'));
    assert.ok(tokensFor({ tags: ['often'] }, '', 'GREEN').tokens.includes('l2'));
  });

  test('what surely matches is told for a count, where tokens can tell it', () => {
    const certain = (...asked: Parameters<typeof criteriaOf>) => plan(criteriaOf(...asked)).certain;
    assert.equal(certain({ minConfidenceScore: 43 }, '', 'GREEN'), 'k4 AND k5 AND l2');
    assert.equal(certain({ validAt: NOW }, '', 'GREEN'), undefined);
    assert.equal(certain({ lastSeenWindow: { start: NOW, end: NOW + 1 } }), undefined);
  });
});
