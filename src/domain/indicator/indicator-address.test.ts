import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatCidr } from '../observable/address.ts';
import type { IndicatorType } from '../vocabulary.ts';
import { addressesOf, hostOf, publicAddressesOf } from './indicator-address.ts';

function addresses(type: IndicatorType, value: string): string | undefined {
  const range = addressesOf({ type, value });
  return range && formatCidr(range);
}

test('addresses, ranges and the hosts of URLs', () => {
  assert.equal(addresses('IPV4', '192.0.2.1'), '192.0.2.1/32');
  assert.equal(addresses('IPV6', '2001:db8::1'), '2001:db8::1/128');
  assert.equal(addresses('CIDR', '192.0.2.0/24'), '192.0.2.0/24');
  assert.equal(addresses('URL', 'http://192.0.2.1:81/x'), '192.0.2.1/32');
  assert.equal(addresses('URL', 'http://[2001:db8::1]/'), '2001:db8::1/128');
  assert.equal(addresses('URL', 'http://example.com/'), undefined);
  assert.equal(addresses('DOMAIN', 'example.com'), undefined);
  assert.equal(hostOf('ftp://example.com/a'), 'example.com');
  assert.equal(hostOf('no url'), '');
});

test('public only when all of them are', () => {
  assert.ok(publicAddressesOf({ type: 'IPV4', value: '192.0.2.1' }));
  assert.equal(publicAddressesOf({ type: 'IPV4', value: '10.0.0.1' }), undefined);
  assert.equal(publicAddressesOf({ type: 'CIDR', value: '8.0.0.0/5' }), undefined);
  assert.equal(publicAddressesOf({ type: 'URL', value: 'http://[fd00::1]/' }), undefined);
});
