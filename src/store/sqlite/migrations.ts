// The schema, as the list of steps that made it. A step that has landed is never edited; a change is a new step.
//
// Ids of indicators are 16-byte blobs, instants are integer milliseconds, dates added are integer microseconds,
// vocabulary names are their Protobuf numbers, hashes are blobs.

export const MIGRATIONS: readonly string[] = [
  `
  create table installation (
    id integer primary key check (id = 1),
    secret blob not null,
    created_at integer not null
  ) strict;

  -- seq is the order of creation. What searches look at again stands here, narrow, so that many rows share a page:
  -- haystack is the lower-case value and tags, a line each; words are those of the summary, each between blanks.
  create table indicator (
    seq integer primary key,
    id blob not null unique,
    confidence integer not null,
    tlp integer not null,
    last_seen integer not null,
    valid_until integer,
    created_at integer not null,
    haystack text not null,
    words text not null
  ) strict;
  create index indicator_created on indicator (created_at);

  create table indicator_document (
    seq integer primary key,
    document text not null
  ) strict;

  -- What only the pipeline reads.
  create table indicator_record (
    seq integer primary key,
    revision integer not null,
    record text not null
  ) strict;

  -- What search_index holds for a row: an update of the index is the difference between it and the new tokens. A table
  -- of its own, because most new sightings change no token.
  create table search_tokens (
    seq integer primary key,
    tokens text not null
  ) strict;

  create virtual table search_index using fts5 (
    tokens, content = '', columnsize = 0, detail = none, tokenize = 'ascii'
  );

  -- due_at of a leased job is the end of its lease. again_at: when it was queued once more while leased.
  create table job (
    indicator_id blob primary key,
    queued_at integer not null,
    due_at integer not null,
    token integer not null default 0,
    leased integer not null default 0,
    again_at integer,
    attempts integer not null default 0,
    dead integer not null default 0,
    error text
  ) strict, without rowid;
  create index job_due on job (due_at) where dead = 0;

  -- date_added is the sequence of the feed. uuid is that of object_id, half as long: what is looked up. superseded_at is the date_added of the next version of the object. owner is
  -- the UUID of the object whose marking and collections govern this one. collections is a set of bits, all of them for
  -- what every collection shares; joined are those of which this version is the object's first.
  create table feed (
    date_added integer primary key,
    object_id text not null,
    uuid blob not null,
    type text not null,
    version text not null,
    tlp integer not null,
    owner blob,
    collections integer not null,
    joined integer not null,
    superseded_at integer
  ) strict;
  create index feed_version on feed (uuid, version);
  create index feed_owner on feed (owner) where owner is not null;
  create index feed_superseded on feed (superseded_at, date_added, tlp, collections)
    where superseded_at is not null;

  -- The newest version of every object, in the order of pages, once for each collection it is in (see feed-listing.ts).
  create table feed_live (
    listing integer not null,
    tlp integer not null,
    date_added integer not null,
    primary key (listing, tlp, date_added)
  ) strict, without rowid;

  -- Bit and listings of a collection follow from its number; 0 is the whole feed. definition is null while out of use.
  -- filled: it holds what was there before it.
  create table feed_collection (
    number integer primary key check (number between 1 and 29),
    id text not null unique,
    definition text,
    filled integer not null
  ) strict;

  create table feed_object (
    date_added integer primary key,
    object text not null
  ) strict;

  create table event_seen (
    key blob primary key,
    seen_at integer not null
  ) strict, without rowid;
  create index event_seen_at on event_seen (seen_at);

  create table request_seen (
    key text primary key,
    fingerprint text not null,
    answer text not null,
    seen_at integer not null
  ) strict, without rowid;
  create index request_seen_at on request_seen (seen_at);

  create table api_key (
    id text primary key,
    hash blob not null unique,
    account text not null,
    created_at integer not null,
    expires_at integer,
    revoked_at integer,
    fields text not null
  ) strict;

  create table audit (
    seq integer primary key,
    at integer not null,
    actor text not null,
    action text not null,
    target text not null,
    detail text not null
  ) strict;
  `,
  `
  -- Versions that are not the newest have no listing: the ranges of the log that a query does not pass over (see
  -- feed-kinds.ts), and the entries of one instant.
  create index feed_kind on feed (collections, type, tlp, date_added);
  create index feed_instant on feed (version);
  `,
  `
  -- By type first: that a type is not there is seen at once, whatever sets of collections there are. The entries of an
  -- index end with the key of the table, which is date_added. What joined something: the first versions of objects,
  -- without all later ones that lie between.
  drop index feed_kind;
  create index feed_partition on feed (type, tlp, collections);
  create index feed_joined_partition on feed (type, tlp, collections) where joined <> 0;
  create index feed_joined on feed (date_added, joined) where joined <> 0;
  `,
];
