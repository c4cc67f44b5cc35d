// Requests over the limit are collected by credential and written together.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Refusals } from '../store/usage.ts';
import { createRefusals } from './refusals.ts';

describe('refused requests', () => {
  it('are written after some seconds, a sum for each credential; a failed write stops nothing', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const written: (readonly Refusals[])[] = [];
    const write = (refusals: readonly Refusals[]) => {
      written.push(refusals);
      return written.length === 1 ? Promise.reject(new Error('no room on the disk')) : Promise.resolve();
    };
    let now = 1_000;
    const note = createRefusals(write, () => now);
    const [first, second] = [
      { account: 'plant', id: 'k1' },
      { account: 'other', id: 'k2' },
    ];
    note(first);
    now = 2_000;
    note(first);
    note(second);
    assert.deepEqual(written, []);
    t.mock.timers.tick(5_000);
    note(second);
    t.mock.timers.tick(5_000);
    t.mock.timers.tick(50_000);
    assert.deepEqual(written, [
      [
        { account: 'plant', credential: 'k1', at: 2_000, requests: 2 },
        { account: 'other', credential: 'k2', at: 2_000, requests: 1 },
      ],
      [{ account: 'other', credential: 'k2', at: 2_000, requests: 1 }],
    ]);
  });
});
