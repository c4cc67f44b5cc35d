import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ServiceError } from '../domain/errors.ts';
import type { Person } from '../store/person.ts';
import { Authenticator, bytes, text } from './authenticator.test-support.ts';
import { createPasskeys } from './passkeys.ts';

const PARTY = { id: 'tis.example.org', origins: ['https://tis.example.org'] };
const ANN: Person = {
  id: 'p',
  login: 'ann',
  name: 'Ann',
  account: 'default',
  roles: ['reader'],
  tlpCeiling: 'GREEN',
  reliability: 0.5,
  createdBy: 'cli',
  createdAt: 0,
};

describe('an answer with certificates', () => {
  it('is refused before the library sees it, since it would fetch what they name', async () => {
    const passkeys = createPasskeys(Buffer.alloc(32), () => 0);
    const options = (await passkeys.registrationOptions(PARTY, ANN, [])) as { challenge: string };
    const certificates = Buffer.concat([text('x5c'), Buffer.of(0x81), bytes(Buffer.from('certificate'))]);
    const signature = Buffer.concat([text('sig'), bytes(Buffer.from('x'))]);
    const statement = Buffer.concat([Buffer.of(0xa2), certificates, signature]);
    const device = new Authenticator(PARTY.id, PARTY.origins[0] ?? '');
    const causeFor = async (format: string, attStmt: Buffer) => {
      const attestation = Buffer.concat([text(format), text('attStmt'), attStmt]);
      try {
        await passkeys.register(PARTY, ANN, device.create(options, { attestation }));
        return undefined;
      } catch (error) {
        assert.ok(error instanceof ServiceError);
        return (error.details.cause as Error).message;
      }
    };
    for (const format of ['packed', 'apple', 'tpm', 'fido-u2f', 'android-key', 'android-safetynet'])
      assert.equal(await causeFor(format, statement), 'the answer has certificates', format);
    assert.equal(await causeFor('none', Buffer.of(0xa0)), undefined);
  });
});
