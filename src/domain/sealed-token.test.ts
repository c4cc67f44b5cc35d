import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createTokenSealer } from './sealed-token.ts';

const SEED = 20_260_314;
const SECRET = Buffer.alloc(32, 1);
const sealer = createTokenSealer(SECRET, 'test');

test('a token opens under its scope and gives the state back, in characters that a URL may hold', () => {
  const property = fc.property(fc.uint8Array({ maxLength: 100 }), fc.string(), (state, scope) => {
    const token = sealer.seal(state, scope);
    assert.match(token, /^[A-Za-z0-9_-]+$/);
    assert.deepEqual(sealer.open(token, scope), Buffer.from(state));
    assert.deepEqual(sealer.open(token, Buffer.from(scope)), Buffer.from(state));
  });
  fc.assert(property, { seed: SEED });
});

test('a token does not open under another scope, another purpose or another secret', () => {
  const token = sealer.seal(Buffer.from('state'), 'scope');
  assert.equal(sealer.open(token, 'scop'), undefined);
  assert.equal(createTokenSealer(SECRET, 'other').open(token, 'scope'), undefined);
  assert.equal(createTokenSealer(Buffer.alloc(32, 2), 'test').open(token, 'scope'), undefined);
});

test('a token that was changed in any character, shortened or lengthened does not open', () => {
  const token = sealer.seal(Buffer.from('state'), 'scope');
  for (let index = 0; index < token.length; index++) {
    for (const other of ['A', 'B', '-', '=', ' ']) {
      const changed = token.slice(0, index) + other + token.slice(index + 1);
      if (changed !== token) assert.equal(sealer.open(changed, 'scope'), undefined, changed);
    }
    assert.equal(sealer.open(token.slice(0, index), 'scope'), undefined);
  }
  for (const tail of ['A', 'AAAA', '=', '\n']) assert.equal(sealer.open(token + tail, 'scope'), undefined);
});

test('equal states give tokens that have nothing in common but the layout', () => {
  const tokens = Array.from({ length: 2_000 }, () => sealer.seal(Buffer.alloc(8), 'scope'));
  assert.equal(new Set(tokens).size, tokens.length);
  const bodies = tokens.map((token) => Buffer.from(token, 'base64url').subarray(1));
  // Each byte takes many values: a byte that shows the state would be the same in all tokens.
  for (let index = 0; index < (bodies[0]?.length ?? 0); index++) {
    assert.ok(new Set(bodies.map((body) => body[index])).size > 200, `byte ${index}`);
  }
});
