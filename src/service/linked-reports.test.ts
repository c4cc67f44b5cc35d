// What is linked by reports: chains within records, sessions, and what each reader finds of them.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EVENT, NOON } from '../domain/indicator/observation.test-support.ts';
import { DAY } from '../domain/instant.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import { createIngest } from '../pipeline/ingest.ts';
import { createMark } from '../pipeline/mark.ts';
import type { Reporter } from '../pipeline/reporter.ts';
import { findRelated } from '../search/related.ts';
import { openTemporaryStore } from '../store/contract/temporary-store.test-support.ts';

const PEER = '198.51.100.7';
const URL_TEXT = 'http://192.0.2.80/a.sh';
const HASH = 'ab'.repeat(32);

interface Sent {
  readonly value: string;
  readonly evidence?: Record<string, string>;
  readonly tlp?: TlpMarking;
  readonly count?: bigint;
}

async function started() {
  const { stores, dispose } = await openTemporaryStore(() => NOON);
  const clock = { now: NOON };
  const ingest = createIngest({
    stores,
    encodeIndicator: ({ id }) => JSON.stringify({ id }),
    clock: () => clock.now,
    observedBy: () => clock.now,
    options: {
      acceptPrivateAddresses: false,
      defaultTlp: 'GREEN',
      minPrefixIpv4: 16,
      minPrefixIpv6: 32,
      quota: { each: { values: 1_000, bytes: 1e9 }, all: { values: 1e6, bytes: 1e12 } },
    },
  });
  const ids = new Map<string, string>();
  let number = 0;
  const report = async (events: readonly Sent[], id = 'key-1') => {
    const sent = events.map((event) => ({ ...EVENT, eventId: `${number++}`, ...event }));
    const results = await ingest(sent, reporterOf(id));
    results.forEach(({ indicatorId = '' }, index) => {
      ids.set(events[index]?.value ?? '', indicatorId);
    });
  };
  /** `source kind target count` of each link, with values for ids, sorted. */
  const related = async (value: string, ceiling: TlpMarking = 'RED', hops = 1): Promise<string[]> => {
    const values = new Map([...ids].map(([text, id]) => [id, text]));
    const found = await findRelated(stores.indicators, ids.get(value) ?? '', ceiling, hops);
    assert.ok(found !== undefined);
    for (const { id, value } of found.indicators) assert.equal(values.get(id), value);
    return found.links
      .map(({ kind, sourceId, targetId, count }) => {
        const ends = [values.get(sourceId), values.get(targetId)];
        if (kind === 'same-session') ends.sort();
        return `${ends[0]} ${kind} ${ends[1]} ${count}`;
      })
      .toSorted();
  };
  return { report, related, clock, stores, ids, [Symbol.asyncDispose]: dispose };
}

function reporterOf(id: string): Reporter {
  const source = { id, name: id, reliability: 0.7 };
  return { account: 'default', id, group: id, source, title: id, sources: [], ceiling: 'RED' };
}

function downloaded(tlp: TlpMarking = 'GREEN'): Sent[] {
  const evidence = { 'peer.address': PEER, 'file.download': URL_TEXT };
  return [
    { value: PEER, tlp, evidence: { 'file.download': URL_TEXT } },
    { value: URL_TEXT, tlp, evidence },
    { value: '192.0.2.80', tlp, evidence },
    { value: HASH, tlp, evidence },
  ];
}

describe('links', () => {
  test('a download is a chain from the address to the URL, its host and the file', async () => {
    await using running = await started();
    await running.report(downloaded());
    await running.report(downloaded());
    const ofPeer = [
      `${PEER} contacted 192.0.2.80 2`,
      `${PEER} downloaded ${URL_TEXT} 2`,
      `${PEER} dropped ${HASH} 2`,
    ];
    assert.deepEqual(await running.related(PEER), ofPeer);
    const ofUrl = [`${URL_TEXT} dropped ${HASH} 2`, `${URL_TEXT} hosted-on 192.0.2.80 2`];
    assert.deepEqual(await running.related(URL_TEXT), [`${PEER} downloaded ${URL_TEXT} 2`, ...ofUrl]);
    assert.deepEqual(await running.related(HASH, 'RED', 2), [...ofPeer, ...ofUrl].toSorted());
  });

  test('a reader needs to see the report that made a link, and both of its ends', async () => {
    await using running = await started();
    await running.report([{ value: PEER }, { value: URL_TEXT, tlp: 'GREEN' }]);
    await running.report(downloaded('AMBER'));
    assert.deepEqual(await running.related(PEER, 'GREEN', 2), []);
    assert.equal((await running.related(PEER, 'AMBER', 2)).length, 5);
    await running.report([{ value: HASH, tlp: 'GREEN', evidence: { 'peer.address': PEER } }]);
    assert.deepEqual(await running.related(PEER, 'GREEN', 2), [`${PEER} dropped ${HASH} 1`]);
    assert.ok((await running.related(HASH, 'RED')).includes(`${PEER} dropped ${HASH} 2`));
    // An end that only others may see.
    await running.report([
      { value: '203.0.113.9', tlp: 'RED' },
      { value: '203.0.113.8', evidence: { 'peer.address': '203.0.113.9' } },
    ]);
    assert.deepEqual(await running.related('203.0.113.8', 'AMBER_STRICT'), []);
    assert.deepEqual(await running.related('203.0.113.8'), ['203.0.113.9 contacted 203.0.113.8 1']);
  });

  test('a session of a sensor links what its events name, within a day, and no session of another', async () => {
    await using running = await started();
    const named = (value: string, session: string): Sent => ({ value, evidence: { 'session.id': session } });
    await running.report([named(PEER, 's1')]);
    await running.report([named(URL_TEXT, 's1'), named(PEER, 's1'), named(URL_TEXT, 's1')]);
    assert.deepEqual(await running.related(PEER), [`${PEER} same-session ${URL_TEXT} 1`]);
    await running.report([named(PEER, 's2'), named(URL_TEXT, 's2')]);
    assert.deepEqual(await running.related(URL_TEXT), [`${PEER} same-session ${URL_TEXT} 2`]);
    await running.report([named('203.0.113.9', 's1')], 'stranger');
    running.clock.now += DAY;
    await running.report([named('203.0.113.9', 's2')]);
    assert.deepEqual(await running.related('203.0.113.9'), []);
  });

  test('a session adds nothing to what a report links already', async () => {
    await using running = await started();
    const session = { 'session.id': 's1', 'peer.address': PEER };
    await running.report([
      { value: PEER, evidence: session },
      { value: HASH, evidence: session },
      { value: URL_TEXT, evidence: session },
    ]);
    assert.deepEqual(await running.related(PEER), [
      `${PEER} downloaded ${URL_TEXT} 1`,
      `${PEER} dropped ${HASH} 1`,
    ]);
    assert.deepEqual(
      await running.related(HASH),
      [`${PEER} dropped ${HASH} 1`, `${HASH} same-session ${URL_TEXT} 1`].toSorted(),
    );
  });

  test('an indicator that is marked anew takes evidence and links along', async () => {
    await using running = await started();
    const { stores, ids } = running;
    await running.report([
      { value: PEER },
      { value: HASH, evidence: { 'peer.address': PEER, 'file.name': 'a' } },
    ]);
    await running.report([
      { value: HASH, tlp: 'AMBER', evidence: { 'peer.address': PEER, 'file.name': 'b' } },
    ]);
    const mark = createMark({
      stores,
      encodeIndicator: ({ id }) => JSON.stringify({ id }),
      renderStix: () => ({ changes: [], feed: undefined }),
      syncCollections: async () => 0,
      clock: () => NOON,
    });
    const indicatorId = ids.get(HASH) ?? '';
    const names = async (ceiling: TlpMarking) => {
      const kept = await stores.indicators.evidence(indicatorId, ceiling);
      return kept
        ?.flatMap(({ seen }) => [...seen.items.values()])
        .flatMap(({ key, value }) => (key === 'file.name' ? value : []));
    };
    assert.deepEqual(await names('GREEN'), ['a']);
    await mark({ indicatorId, actor: 'cli', tlp: 'RED', note: '' });
    assert.equal(await names('AMBER_STRICT'), undefined);
    assert.deepEqual(await names('RED'), ['a', 'b']);
    assert.deepEqual(await running.related(PEER, 'AMBER_STRICT'), []);
    await mark({ indicatorId, actor: 'cli', tlp: 'CLEAR', note: '' });
    assert.deepEqual(await names('CLEAR'), ['a', 'b']);
    assert.deepEqual(await running.related(HASH, 'GREEN'), [`${PEER} dropped ${HASH} 2`]);
  });

  test('links are bounded, and the answer too', async () => {
    await using running = await started();
    await running.report([{ value: PEER }]);
    const hash = (index: number) => index.toString(16).padStart(64, '0');
    for (let batch = 0; batch < 3; batch++) {
      await running.report(
        Array.from({ length: 300 }, (_, index) => ({
          value: hash(1 + batch * 300 + index),
          evidence: { 'peer.address': PEER },
        })),
      );
    }
    const links = await running.related(PEER);
    assert.ok(links.length > 40 && links.length <= 64, `${links.length} links`);
    const kept = await running.stores.indicators.evidence(running.ids.get(PEER) ?? '', 'RED');
    assert.equal(kept?.[0]?.links.dropped, 900 - links.length);
    const found = await findRelated(running.stores.indicators, running.ids.get(PEER) ?? '', 'RED', 2);
    assert.deepEqual([found?.truncated, found?.indicators.length], [true, links.length]);
    // Its own link to the address is there, whether or not the address has kept it.
    const last = `${PEER} dropped ${hash(900)} 1`;
    assert.deepEqual(await running.related(hash(900)), [last]);
    assert.deepEqual(new Set(await running.related(hash(900), 'RED', 2)), new Set([...links, last]));
  });
});
