// The schema of the usage file, whose versions are those of the store beside it.

import type { Schema } from '../maintenance/migrate.ts';
import { FIRST_VERSION } from '../schema.ts';

export const USAGE_SCHEMA: Schema = {
  applicationId: 0x54495375,
  firstTable: 'usage',
  firstVersion: FIRST_VERSION,
  steps: [
    `
  -- mark is that of the store beside it.
  create table installation (
    id integer primary key check (id = 1),
    mark blob not null
  ) strict;

  -- searches are pages, returned the indicators on them. lookups are values, in so many lookup_requests.
  -- Sums by UTC hour. A row with an empty credential is the sum of the whole account, so that a report reads one row an
  -- hour, however many keys the account has.
  create table usage (
    account text not null,
    credential text not null,
    hour integer not null,
    searches integer not null,
    returned integer not null,
    lookups integer not null,
    lookup_requests integer not null,
    primary key (account, credential, hour)
  ) strict, without rowid;

  -- Events for a billing system. A taken event may have been sent, so it never changes again.
  create table usage_event (
    seq integer primary key,
    id text not null unique,
    account text not null,
    credential text not null,
    hour integer not null,
    since integer not null,
    at integer not null,
    searches integer not null,
    returned integer not null,
    lookups integer not null,
    lookup_requests integer not null,
    taken integer not null default 0
  ) strict;
  create unique index usage_event_open on usage_event (account, credential, hour) where taken = 0;

  -- Requests over the limit, by UTC hour. The empty credential stands for the account, as above.
  create table refusal (
    account text not null,
    credential text not null,
    hour integer not null,
    requests integer not null,
    primary key (account, credential, hour)
  ) strict, without rowid;

  create table last_use (
    credential text primary key,
    at integer not null
  ) strict, without rowid;

  -- Clients of the feed, by credential and collection. position is a date_added in microseconds as the client sees dates.
  -- mistakes is JSON (metering/consumer-tracking.ts).
  create table consumer (
    account text not null,
    credential text not null,
    collection text not null,
    position integer not null,
    polled_at integer not null,
    polls integer not null,
    agent text not null,
    mistakes text not null,
    primary key (account, credential, collection)
  ) strict, without rowid;
    `,
  ],
};
