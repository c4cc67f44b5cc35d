import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StatusScreen } from '../terminal.ts';
import { createProgress } from './progress.ts';

class Screen implements StatusScreen {
  readonly isTTY: boolean;
  readonly columns = 200;
  text = '';

  constructor(isTTY: boolean) {
    this.isTTY = isTTY;
  }

  write(text: string | Uint8Array): boolean {
    this.text += String(text);
    return true;
  }
}

test('a bar with share, size, events and rate, removed at the end', () => {
  const screen = new Screen(true);
  let now = 0;
  const progress = createProgress(screen, () => now);
  now = 2_000;
  progress.update({ bytes: 1_500_000, totalBytes: 3_000_000, events: 4_000 });
  assert.match(screen.text, /\[#{15}-{15}\] 50% of 3\.0 MB, 4000 events, 2000\/s$/);
  progress.end();
  assert.ok(screen.text.endsWith('\r\u{1b}[K'));
});

test('it is drawn a few times a second at most', () => {
  const screen = new Screen(true);
  let now = 0;
  const progress = createProgress(screen, () => now);
  for (; now < 1_000; now += 1) progress.update({ bytes: now, totalBytes: 1_000, events: 0 });
  assert.equal(screen.text.split('\r').length - 1, 10);
});

test('without a known size it counts', () => {
  const screen = new Screen(true);
  createProgress(screen, () => 0).update({ bytes: 1_500_000, totalBytes: undefined, events: 3 });
  assert.match(screen.text, /1\.5 MB read, 3 events, 0\/s$/);
});

test('it never gets longer than the line', () => {
  const screen = Object.assign(new Screen(true), { columns: 20 });
  createProgress(screen, () => 0).update({ bytes: 1, totalBytes: 2, events: 3 });
  assert.equal(screen.text.replace('\r\u{1b}[K', '').length, 19);
});

test('nothing when no person is watching', () => {
  const screen = new Screen(false);
  const progress = createProgress(screen, () => 0);
  progress.update({ bytes: 1, totalBytes: 2, events: 3 });
  progress.end();
  assert.equal(screen.text, '');
});
