// Rules of what was taken in lately: by minute, by sensor, by marking.

import assert from 'node:assert/strict';
import { MINUTE } from '../../domain/instant.ts';
import type { ActivityCount } from '../activity.ts';
import { NOW } from './fixtures.ts';
import type { Rule } from './rule.ts';

const COUNT: ActivityCount = {
  account: 'plant',
  reporter: 'k1',
  title: 'key pump',
  sensor: 'plc-1',
  sensorType: 'ICS',
  marking: 'GREEN',
  protocol: 'MODBUS',
  intent: 'write',
  events: 1,
};
const START = Math.floor(NOW / MINUTE) * MINUTE;

export function describeActivity(rule: Rule): void {
  rule('events are counted by minute for the readers of their marking', async ({ stores }) => {
    await stores.write(async (tx) => {
      await tx.addActivity(
        [
          { ...COUNT, events: 3 },
          { ...COUNT, marking: 'AMBER', events: 10 },
        ],
        START,
      );
      await tx.addActivity([COUNT, { ...COUNT, protocol: 'DNP3', intent: 'read' }], START + MINUTE - 1);
      await tx.addActivity([COUNT], START + MINUTE);
    });
    const counts = async (...given: Parameters<typeof stores.activity.minutes>) =>
      (await stores.activity.minutes(...given)).map(({ start, protocol, intent, events }) => [
        start - START,
        protocol,
        intent,
        events,
      ]);
    assert.deepEqual(await counts('CLEAR', START), []);
    assert.deepEqual(await counts('GREEN', START), [
      [0, 'MODBUS', 'write', 4],
      [0, 'DNP3', 'read', 1],
      [MINUTE, 'MODBUS', 'write', 1],
    ]);
    assert.deepEqual((await counts('AMBER', START))[0], [0, 'MODBUS', 'write', 14]);
    assert.deepEqual(await counts('RED', START + MINUTE), [[MINUTE, 'MODBUS', 'write', 1]]);
  });

  rule('a sensor has its last event and its rate, within the ceiling and the account', async ({ stores }) => {
    await stores.write(async (tx) => {
      await tx.addActivity([{ ...COUNT, events: 20 }], NOW);
      await tx.addActivity([{ ...COUNT, marking: 'RED', events: 100 }], NOW + 5 * MINUTE);
      await tx.addActivity([{ ...COUNT, account: 'other', sensor: 'plc-2', sensorType: 'NETWORK' }], NOW + 1);
    });
    const sensors = (ceiling: 'GREEN' | 'RED', account?: string) =>
      stores.activity.sensors(ceiling, account, 10, NOW + 5 * MINUTE);
    const [green, ...others] = await sensors('GREEN', 'plant');
    assert.deepEqual(others, []);
    assert.deepEqual([green?.sensor, green?.lastEventAt, green?.title], ['plc-1', NOW, 'key pump']);
    assert.ok(Math.abs((green?.eventsPerMinute ?? 0) - 2 * Math.exp(-0.5)) < 1e-9);
    const [red] = await sensors('RED', 'plant');
    assert.equal(red?.lastEventAt, NOW + 5 * MINUTE);
    assert.ok(Math.abs((red?.eventsPerMinute ?? 0) - 10 - 2 * Math.exp(-0.5)) < 1e-9);
    assert.deepEqual(
      (await sensors('GREEN')).map(({ sensor }) => sensor),
      ['plc-2', 'plc-1'],
    );
  });

  rule(
    'a reporter that invents sensors keeps the newest ones, and what is old is forgotten',
    async ({ stores }) => {
      await stores.write(async (tx) => {
        await tx.addActivity([{ ...COUNT, reporter: 'k2', sensor: 'quiet' }], NOW - 1);
        for (let number = 0; number < 205; number++)
          await tx.addActivity([{ ...COUNT, sensor: `s${number}` }], NOW + number);
      });
      const names = async () =>
        (await stores.activity.sensors('RED', undefined, 1_000, NOW)).map(({ sensor }) => sensor);
      const kept = await names();
      assert.deepEqual([kept.length, kept[0], kept.at(-2), kept.at(-1)], [201, 's204', 's5', 'quiet']);
      await stores.write((tx) => tx.forgetActivity(NOW + MINUTE, NOW + 203));
      assert.deepEqual(await names(), ['s204', 's203']);
      assert.deepEqual(await stores.activity.minutes('RED', 0), []);
    },
  );
}
