// docs/sensors.md has a row for every evidence key, and the decoders do with its example what the row says.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { decodeBehaviours } from '../src/domain/evidence/behaviour.ts';
import { EVIDENCE_KEYS } from '../src/domain/evidence/evidence-key.ts';
import { EVENT } from '../src/domain/indicator/observation.test-support.ts';

interface Row {
  readonly key: string;
  /** The example, with the other keys that it needs. */
  readonly evidence: Readonly<Record<string, string>>;
  readonly behaviours: readonly string[];
  /** Such as `write, HIGH`. */
  readonly outcome: string;
}

const page = await readFile(new URL('../docs/sensors.md', import.meta.url), 'utf8');
const [, section = ''] = /^## Evidence keys$(.*?)^## /ms.exec(page) ?? [];
const rows = section.split('\n').flatMap(rowOf);

/** Rows of other tables in the section do not start with a code. */
function rowOf(line: string): readonly Row[] {
  const [, keyCell = '', , example = '', decoded = '', outcome = ''] = line
    .split('|')
    .map((cell) => cell.trim());
  const [key] = codesIn(keyCell);
  const [value = '', ...others] = codesIn(example);
  if (key === undefined || outcome === '') return [];
  const needed = others.map((text) => text.split(': '));
  return [
    { key, evidence: { [key]: value, ...Object.fromEntries(needed) }, behaviours: codesIn(decoded), outcome },
  ];
}

function codesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

test('every evidence key has one row', () => {
  assert.deepEqual(rows.map(({ key }) => key).sort(), Object.keys(EVIDENCE_KEYS).sort());
});

for (const { key, evidence, behaviours, outcome } of rows) {
  test(`the example of ${key} is decoded as documented`, () => {
    const decoded = decodeBehaviours({
      ...EVENT,
      sensorType: 'UNSPECIFIED',
      protocol: 'UNSPECIFIED',
      evidence,
    });
    assert.deepEqual([...decoded.behaviours], behaviours);
    assert.equal(`${decoded.intent}, ${decoded.severity}`, outcome);
  });
}
