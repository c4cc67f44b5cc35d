// The schema of the usage file, as the list of steps that made it. A step that has landed is never edited; a change is a
// new step. Instants are integer milliseconds.

export const USAGE_MIGRATIONS: readonly string[] = [
  `
  -- Sums by UTC hour. The rows of credential '' are those of the whole account, so that a report reads one row for an
  -- hour however many keys the account has.
  create table usage (
    account text not null,
    credential text not null,
    hour integer not null,
    searches integer not null,
    returned integer not null,
    primary key (account, credential, hour)
  ) strict, without rowid;

  -- What a billing system is to be told. Once taken it may have been sent, and never changes again.
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
    taken integer not null default 0
  ) strict;
  create unique index usage_event_open on usage_event (account, credential, hour) where taken = 0;

  create table last_use (
    credential text primary key,
    at integer not null
  ) strict, without rowid;
  `,
];
