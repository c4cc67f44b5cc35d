// Evidence under hostile input, through the ingest: bounded, exact, and nothing of one marking in another.
// `npx node bench/evidence-flood.ts` sends a million commands.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EVIDENCE_BYTES, LINK_BYTES } from '../domain/evidence/kept-evidence.ts';
import { EVENT, NOON } from '../domain/indicator/observation.test-support.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import { createIngest } from '../pipeline/ingest.ts';
import { encodeEvidence } from '../protojson/evidence-json.ts';
import { openTemporaryStore } from '../store/contract/temporary-store.test-support.ts';
import { encodeEvidence as storedForm } from '../store/evidence-codec.ts';

const HOSTILE = 'a\u001b[2J\r\n\u0000\u202e\u2066\u{e0041}\ud800 😀';
const FLOOD = 3_000;

interface Values {
  readonly key: string;
  readonly values: readonly { readonly value: string; readonly count: string; readonly truncated: boolean }[];
}

describe('hostile evidence', () => {
  test('a flood above a ceiling is bounded, counts exactly, and changes nothing below', async () => {
    const { stores, dispose } = await openTemporaryStore(() => NOON);
    const ingest = createIngest({
      stores,
      encodeIndicator: ({ id }) => JSON.stringify({ id }),
      clock: () => NOON,
      observedBy: () => NOON,
      options: {
        acceptPrivateAddresses: false,
        defaultTlp: 'GREEN',
        minPrefixIpv4: 16,
        minPrefixIpv6: 32,
        quota: { each: { values: 9, bytes: 1e9 }, all: { values: 1e6, bytes: 1e12 } },
      },
    });
    let number = 0;
    let id = '';
    const report = async (key: string, tlp: TlpMarking, evidences: readonly Record<string, string>[]) => {
      const source = { id: key, name: key, reliability: 0.7 };
      const results = await ingest(
        evidences.map((evidence) => ({ ...EVENT, eventId: `${number++}`, tlp, evidence })),
        { account: 'a', id: key, group: key, source, title: key, sources: [], ceiling: 'RED' },
      );
      assert.ok(results.every(({ status }) => status === 'ACCEPTED'));
      id = results[0]?.indicatorId ?? '';
    };
    const answer = async (ceiling: TlpMarking) =>
      encodeEvidence(id, (await stores.indicators.evidence(id, ceiling)) ?? []);
    const seen = async (ceiling: TlpMarking, key: string) => {
      const groups = JSON.parse(await answer(ceiling)).seen as readonly Values[];
      return groups.find((one) => one.key === key)?.values ?? [];
    };

    await report('quiet', 'GREEN', [{ 'login.user': HOSTILE, 'command.input': 'uname -a' }]);
    const below = await answer('GREEN');
    for (let batch = 0; batch < FLOOD / 1_000; batch++) {
      await report(
        'flood',
        'RED',
        Array.from({ length: 1_000 }, (_, index) => ({
          'command.input': `echo ${batch * 1_000 + index}`,
          'vendor.text': 'x'.repeat(index % 65_536),
          [`key ${index}`]: HOSTILE,
        })),
      );
    }
    await report('flood', 'AMBER', [{ 'command.input': 'x'.repeat(65_536) }]);

    assert.equal(await answer('GREEN'), below);
    assert.deepEqual(
      (await seen('GREEN', 'login.user')).map(({ value }) => value),
      [HOSTILE],
    );
    assert.deepEqual(
      (await seen('AMBER', 'command.input')).map(({ value, truncated }) => [value.length, truncated]),
      [
        [8, false],
        [401, true],
      ],
    );
    for (const kept of (await stores.indicators.evidence(id, 'RED')) ?? []) {
      const { length } = Buffer.from(storedForm(kept));
      assert.ok(length <= EVIDENCE_BYTES + LINK_BYTES, `${length} bytes`);
    }
    const sensors = (await stores.indicators.evidence(id, 'RED')) ?? [];
    const counts = sensors.map(({ seen: { items } }) => items.get('sensor.id\0honeypot-1')?.count);
    assert.deepEqual(counts, [1, 1, FLOOD]);
    await dispose();
  });
});
