import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TlpMarking } from '../vocabulary.ts';
import { joinSession, SESSION_MEMORY, type SessionMember } from './session-members.ts';

function member(indicatorId: string, marking: TlpMarking = 'GREEN', at = 0): SessionMember {
  return { indicatorId, marking, at };
}

test('a new member is linked with those before it, at the more restrictive marking', () => {
  const known = [member('a'), member('b', 'RED')];
  assert.deepEqual(joinSession(known, member('c', 'AMBER', 5)), {
    members: [...known, member('c', 'AMBER', 5)],
    linked: [
      { otherId: 'a', marking: 'AMBER' },
      { otherId: 'b', marking: 'RED' },
    ],
  });
  assert.equal(joinSession(known, member('a', 'RED')), undefined);
  // Readers of GREEN do not know yet that it was in the session.
  assert.deepEqual(joinSession(known, member('b'))?.linked, [{ otherId: 'a', marking: 'GREEN' }]);
});

test('a session has 16 members for each reader, and forgets each after a day', () => {
  const full = Array.from({ length: 16 }, (_, index) => member(`${index}`, 'AMBER'));
  assert.equal(joinSession(full, member('x', 'AMBER')), undefined);
  assert.equal(joinSession(full, member('x', 'GREEN'))?.members.length, 17);
  assert.deepEqual(joinSession(full, member('x', 'AMBER', SESSION_MEMORY))?.linked, []);
});
