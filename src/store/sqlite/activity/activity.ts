// Events by minute, and the last sign of each sensor.

import { INTENTS } from '../../../domain/indicator/indicator.ts';
import { type Instant, MINUTE } from '../../../domain/instant.ts';
import { numberOf, PROTOCOLS, SENSOR_TYPES, type TlpMarking } from '../../../domain/vocabulary.ts';
import type { ActivityCount, ActivityReader, MinuteCount, SensorState } from '../../activity.ts';
import { decayed, perMinute } from '../../rules/event-rate.ts';
import { markingNumber } from '../../rules/markings.ts';
import type { Connection } from '../connection.ts';
import { guarded } from '../store-errors.ts';

/** Sensors of one reporter with reports of one marking. A reporter invents their names, and the longest silent one gives way. */
const MOST_SENSORS = 200;

export function addActivity(connection: Connection, counts: readonly ActivityCount[], now: Instant): void {
  const minute = Math.floor(now / MINUTE) * MINUTE;
  for (const count of counts) {
    connection.run(
      `insert into event_minute (minute, marking, protocol, intent, events) values (?, ?, ?, ?, ?)
       on conflict do update set events = events + excluded.events`,
      minute,
      markingNumber(count.marking),
      numberOf(PROTOCOLS, count.protocol),
      INTENTS.indexOf(count.intent),
      count.events,
    );
    if (count.sensor !== '') noteSensor(connection, count, now);
  }
}

function noteSensor(connection: Connection, count: ActivityCount, now: Instant): void {
  const { account, reporter, title, sensor, events } = count;
  const marking = markingNumber(count.marking);
  const known = connection.row(
    'select last_at, level from sensor where account = ? and reporter = ? and marking = ? and sensor = ?',
    account,
    reporter,
    marking,
    sensor,
  ) as [number, number] | undefined;
  const level = known === undefined ? events : decayed(known[1], now - known[0]) + events;
  connection.run(
    `insert or replace into sensor (account, reporter, marking, sensor, title, type, last_at, level)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
    account,
    reporter,
    marking,
    sensor,
    title,
    numberOf(SENSOR_TYPES, count.sensorType),
    Math.max(now, known?.[0] ?? now),
    level,
  );
  if (known !== undefined) return;
  connection.run(
    `delete from sensor where (account, reporter, marking, sensor) in (
       select account, reporter, marking, sensor from sensor where account = ? and reporter = ? and marking = ?
       order by last_at desc limit -1 offset ${MOST_SENSORS})`,
    account,
    reporter,
    marking,
  );
}

export function forgetActivity(connection: Connection, minutesBefore: Instant, sensorsBefore: Instant): void {
  connection.run('delete from event_minute where minute < ?', minutesBefore);
  connection.run('delete from sensor where last_at < ?', sensorsBefore);
}

export function createActivityReader(connection: Connection): ActivityReader {
  return {
    minutes: guarded((ceiling: TlpMarking, since: Instant) =>
      connection
        .rows(
          `select minute, protocol, intent, sum(events) from event_minute
           where minute >= ? and marking <= ? group by 1, 2, 3 order by 1, 2, 3`,
          since,
          markingNumber(ceiling),
        )
        .map(
          ([start, protocol, intent, events]): MinuteCount => ({
            start: start as number,
            protocol: PROTOCOLS[protocol as number] ?? 'UNSPECIFIED',
            intent: INTENTS[intent as number] ?? 'none',
            events: events as number,
          }),
        ),
    ),
    sensors: guarded((ceiling: TlpMarking, account: string | undefined, limit: number, now: Instant) => {
      const ofAccount = account === undefined ? '' : 'and account = ?';
      const rows = connection.rows(
        `select account, reporter, sensor, title, type, last_at, level from sensor
         where marking <= ? ${ofAccount} order by last_at desc limit ?`,
        markingNumber(ceiling),
        ...(account === undefined ? [] : [account]),
        limit,
      );
      const sensors = new Map<string, SensorState>();
      for (const [holder, reporter, sensor, title, type, lastAt, level] of rows) {
        const key = JSON.stringify([holder, reporter, sensor]);
        const rate = perMinute(decayed(level as number, now - (lastAt as number)));
        // Rows of other markings are older.
        const known = sensors.get(key) ?? {
          account: holder as string,
          title: title as string,
          sensor: sensor as string,
          sensorType: SENSOR_TYPES[type as number] ?? 'UNSPECIFIED',
          lastEventAt: lastAt as number,
          eventsPerMinute: 0,
        };
        sensors.set(key, { ...known, eventsPerMinute: known.eventsPerMinute + rate });
      }
      return [...sensors.values()];
    }),
  };
}
