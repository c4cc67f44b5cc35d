import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HomeNet } from './home-net.ts';

test('private networks are home unless others are named', () => {
  const home = new HomeNet(undefined);
  for (const address of ['10.1.2.3', '172.31.0.1', '192.168.0.1', 'fd00::1', '::ffff:10.0.0.1']) {
    assert.ok(home.has(address), address);
  }
  for (const address of ['172.32.0.1', '192.0.2.1', 'fe80::1', '2001:db8::1', 'plc', '']) {
    assert.ok(!home.has(address), address);
  }
  assert.ok(new HomeNet([]).has('10.1.2.3'));
  const named = new HomeNet(['203.0.113.0/24', '2001:db8::/32', 'nonsense']);
  assert.ok(named.has('203.0.113.7'));
  assert.ok(named.has('2001:db8::7'));
  assert.ok(!named.has('10.1.2.3'));
});

test("only what was named is known to be one's own", () => {
  assert.ok(!new HomeNet(undefined).isOwn('10.1.2.3'));
  assert.ok(new HomeNet(['10.0.0.0/8']).isOwn('10.1.2.3'));
});

test('directions', () => {
  const home = new HomeNet(['203.0.113.0/24']);
  const inside = '203.0.113.1';
  const outside = '198.51.100.1';
  assert.equal(home.direction(outside, inside), 'inbound');
  assert.equal(home.direction(inside, outside), 'outbound');
  assert.equal(home.direction(inside, '203.0.113.2'), 'internal');
  assert.equal(home.direction(outside, '198.51.100.2'), 'unknown');
});
