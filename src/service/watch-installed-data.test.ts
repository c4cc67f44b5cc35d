// The warning about old data.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '../domain/instant.ts';
import type { InstalledData } from '../pipeline/data-sets/installed-data.ts';
import { createAgeWarning } from './watch-installed-data.ts';

const DATA: InstalledData = {
  kind: 'asn',
  name: 'n',
  builtAt: 0,
  installedAt: 0,
  folder: 'asn-1',
  path: 'p',
};

test('the log warns of old data once a day', () => {
  let now = 90 * DAY;
  const told: unknown[] = [];
  const warn = createAgeWarning(() => now, {
    warn: (fields: object, text?: string) => void told.push([(fields as { ageDays: number }).ageDays, text]),
  });
  warn([DATA]);
  now += DAY;
  warn([DATA]);
  warn([DATA, { ...DATA, builtAt: now }]);
  now += DAY;
  warn([DATA]);
  const text = 'installed data is old; renew it with: tis data install asn';
  assert.deepEqual(told, [
    [91, text],
    [92, text],
  ]);
});
