import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENT } from '../indicator/observation.test-support.ts';
import { parseObservable } from '../observable/observable.ts';
import { keptLink, LINK_KINDS, linkEntry, namedTogether } from './links.ts';

const PEER = '198.51.100.7';
const URL_TEXT = 'http://files.example.net/a.sh';
const HASH = 'ab'.repeat(32);
const OPTIONS = { acceptPrivateAddresses: false };

/** `kind TYPE value`, with `<` if the other one is the source. */
function named(value: string, evidence: Record<string, string>): string[] {
  const own = parseObservable('UNSPECIFIED', value, OPTIONS);
  assert.ok(own.ok);
  return namedTogether({ ...EVENT, value, evidence }, own, OPTIONS).map(
    ({ kind, other, fromOther }) => `${fromOther ? '<' : '>'}${kind} ${other.type} ${other.value}`,
  );
}

test('what was fetched, brought or called belongs to its peer, and to its URL', () => {
  const peer = { 'peer.address': PEER };
  assert.deepEqual(named(URL_TEXT, peer), [`<downloaded IPV4 ${PEER}`]);
  assert.deepEqual(named(URL_TEXT, { ...peer, 'file.download': URL_TEXT }), [`<downloaded IPV4 ${PEER}`]);
  assert.deepEqual(named(HASH, { ...peer, 'file.download': 'hxxp://files[.]example[.]net/a.sh' }), [
    `<dropped URL ${URL_TEXT}`,
    `<dropped IPV4 ${PEER}`,
  ]);
  assert.deepEqual(named('files.example.net', { ...peer, 'command.download': URL_TEXT }), [
    `<hosted-on URL ${URL_TEXT}`,
    `<contacted IPV4 ${PEER}`,
  ]);
  assert.deepEqual(named('2001:db8::7', { 'file.download_failed': 'tftp://[2001:db8::7]/a' }), [
    '<hosted-on URL tftp://[2001:db8::7]/a',
  ]);
  assert.deepEqual(named('ann@example.com', peer), [`<same-session IPV4 ${PEER}`]);
});

test('an attacker is not linked by its own event, nor is what cannot be an indicator', () => {
  assert.deepEqual(named(PEER, { 'file.download': URL_TEXT, 'peer.address': PEER }), []);
  assert.deepEqual(named(HASH, { 'file.download': HASH, 'file.upload': HASH }), []);
  assert.deepEqual(named(HASH, { 'peer.address': '10.0.0.7', 'file.download': 'http://10.0.0.7/a' }), []);
  assert.deepEqual(named(HASH, { 'peer.address': 'files.example.net', 'file.download': 'http://' }), []);
});

test('a link reads back as it was', () => {
  const otherId = '0f8d6c2a-7b3e-4d19-9a5c-e1f2a3b4c5d6';
  for (const kind of LINK_KINDS) {
    for (const fromOther of [true, false]) {
      const link = { kind, otherId, fromOther: fromOther && kind !== 'same-session' };
      assert.deepEqual(keptLink(linkEntry({ kind, otherId, fromOther })), link);
    }
  }
});
