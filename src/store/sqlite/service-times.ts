// The times of the service in SQLite: one row.

import type { ServiceTimes } from '../../domain/service-times.ts';
import type { Connection } from './connection.ts';

export function readTimes(connection: Connection): ServiceTimes | undefined {
  const row = connection.row(
    'select generation, expiry, service, memory, doubt_since, doubt_lead from service_times',
  );
  if (row === undefined) return undefined;
  const [generation, expiry, service, memory, since, lead] = row as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const times = { generation, expiry, service, memory };
  return row[4] === null ? times : { ...times, doubt: { since, lead } };
}

export function writeTimes(connection: Connection, times: ServiceTimes): void {
  const { generation, expiry, service, memory, doubt } = times;
  connection.run(
    `insert or replace into service_times (id, generation, expiry, service, memory, doubt_since, doubt_lead)
     values (1, ?, ?, ?, ?, ?, ?)`,
    generation,
    expiry,
    service,
    memory,
    doubt?.since ?? null,
    doubt?.lead ?? null,
  );
}
