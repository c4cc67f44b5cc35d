// Writing use inside a transaction of the caller: sums, and events for a billing system.

import { randomUUID } from 'node:crypto';
import { bucketStart } from '../../../domain/usage-bucket.ts';
import type { Refusals, Usage, UsageEvent } from '../../usage.ts';
import type { Connection } from '../connection.ts';

/** Credential of the sums of a whole account. No real credential is empty. */
export const WHOLE_ACCOUNT = '';

const SUMS = ['searches', 'returned', 'lookups', 'lookup_requests']
  .map((amount) => `${amount} = ${amount} + excluded.${amount}`)
  .join();

export function addUses(connection: Connection, uses: readonly Usage[], announce: boolean): void {
  for (const use of uses) {
    addToSum(connection, use, use.credential);
    addToSum(connection, use, WHOLE_ACCOUNT);
    if (announce) addToEvent(connection, use);
  }
}

function addToSum(connection: Connection, use: Usage, credential: string): void {
  connection.run(
    `insert into usage (account, credential, hour, searches, returned, lookups, lookup_requests)
     values (?, ?, ?, ?, ?, ?, ?)
     on conflict (account, credential, hour) do update set ${SUMS}`,
    use.account,
    credential,
    bucketStart('HOUR', use.at),
    use.searches,
    use.returned,
    use.lookups,
    use.lookupRequests,
  );
}

/** Adds to the event of this hour that is not taken yet, or makes a new one. */
function addToEvent(connection: Connection, use: Usage): void {
  connection.run(
    `insert into usage_event (id, account, credential, hour, since, at, searches, returned, lookups, lookup_requests)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (account, credential, hour) where taken = 0 do update set at = max(at, excluded.at), ${SUMS}`,
    randomUUID(),
    use.account,
    use.credential,
    bucketStart('HOUR', use.at),
    use.at,
    use.at,
    use.searches,
    use.returned,
    use.lookups,
    use.lookupRequests,
  );
}

export function addRefusals(connection: Connection, refusals: readonly Refusals[]): void {
  for (const { account, credential, at, requests } of refusals) {
    for (const holder of [credential, WHOLE_ACCOUNT]) {
      connection.run(
        `insert into refusal (account, credential, hour, requests) values (?, ?, ?, ?)
         on conflict (account, credential, hour) do update set requests = requests + excluded.requests`,
        account,
        holder,
        bucketStart('HOUR', at),
        requests,
      );
    }
  }
}

export function touchCredentials(connection: Connection, credentials: readonly string[], at: number): void {
  for (const credential of credentials) {
    connection.run(
      `insert into last_use (credential, at) values (?, ?)
       on conflict (credential) do update set at = max(at, excluded.at)`,
      credential,
      at,
    );
  }
}

/** Gives the oldest events and marks them as taken, so that they do not change any more. */
export function takeEvents(connection: Connection, limit: number): UsageEvent[] {
  connection.run(
    `update usage_event set taken = 1
     where taken = 0 and seq in (select seq from usage_event order by seq limit ?)`,
    limit,
  );
  return connection
    .rows(
      `select id, account, credential, at, searches, returned, lookups, lookup_requests
       from usage_event order by seq limit ?`,
      limit,
    )
    .map(([id, account, credential, at, searches, returned, lookups, lookupRequests]) => ({
      id: id as string,
      account: account as string,
      credential: credential as string,
      at: at as number,
      searches: searches as number,
      returned: returned as number,
      lookups: lookups as number,
      lookupRequests: lookupRequests as number,
    }));
}

export function settleEvents(connection: Connection, ids: readonly string[]): void {
  for (const id of ids) connection.run('delete from usage_event where id = ? and taken = 1', id);
}
