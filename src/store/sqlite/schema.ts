// The schema of the store. That of its other file is in usage/usage-schema.ts.
//
// Ids of indicators are 16-byte blobs, instants are integer milliseconds, dates added are integer microseconds,
// vocabulary names are their Protobuf numbers, hashes are blobs.

import { LAST_COLLECTION } from './feed/listing.ts';
import { IS_STRAY } from './feed/owned.ts';
import type { Schema } from './maintenance/migrate.ts';
import { OPENID_TABLES } from './openid/tables.ts';
import { MINUTE_DUE } from './queue/job-order.ts';
import { IS_NARROW } from './search/view-rows.ts';

/** Stores of lower versions were written before the first release. */
export const FIRST_VERSION = 38;

export const STORE_SCHEMA: Schema = {
  // "TISs" and below "TISu" in ASCII.
  applicationId: 0x54495373,
  firstTable: 'indicator',
  firstVersion: FIRST_VERSION,
  steps: [
    `
  -- mark is random. metered is 1 once the usage file was made: from then on that file must be there, with the same mark.
  create table installation (
    id integer primary key check (id = 1),
    secret blob not null,
    mark blob not null,
    metered integer not null default 0,
    created_at integer not null
  ) strict;

  -- A row is one view of an indicator: most have one. seq is the order of creation and the marking (search/view-rows.ts).
  -- audience is a set of ceilings as bits. The table is narrow, so that many rows share a page: it holds only the columns
  -- on which a search filters again after the index. haystack is the lower-case value and tags, a line each. words are
  -- those of the summary, each between blanks.
  create table indicator (
    seq integer primary key,
    id blob not null,
    severity integer not null,
    confidence integer not null,
    audience integer not null,
    last_seen integer not null,
    valid_until integer,
    created_at integer not null,
    haystack text not null,
    words text not null
  ) strict;
  -- With the audience, so that a read by id goes from here to the document.
  create index indicator_id on indicator (id, audience);
  create index indicator_created on indicator (created_at);
  -- Empty unless an indicator has several views.
  create index indicator_narrow on indicator (seq) where ${IS_NARROW};

  -- crc is the CRC-32 of the text, here and below (see checksums.ts).
  create table indicator_document (
    seq integer primary key,
    crc integer not null,
    document text not null
  ) strict;

  -- The whole record in packed form (search/packed-record.ts). Searches do not read it. ahead is 1 while the record is newer
  -- than the row, the document and the index: a job is about to write them. facets are the tokens that search_index holds for the row besides
  -- those of haystack and words (search/indexed-rows.ts).
  create table indicator_record (
    seq integer primary key,
    revision integer not null,
    facets text not null,
    ahead integer not null,
    crc integer not null,
    record blob not null
  ) strict;

  -- What reports of an indicator with one marking say was seen, as JSON (evidence-codec.ts). seq is made as that of the view
  -- with this marking, which may not exist (evidence/evidence-rows.ts). Searches and the feed do not read it.
  create table indicator_evidence (
    seq integer primary key,
    crc integer not null,
    evidence text not null
  ) strict;

  -- The ranges of indicators of the type CIDR: the bytes of the network and the prefix. A row stays when its indicator goes.
  create table address_range (
    number integer primary key,
    range blob not null unique
  ) strict;

  -- The tokens of the indicators. rowid counts down, so that the newest come first (search/indexed-rows.ts).
  create virtual table search_index using fts5 (
    tokens, content = '', columnsize = 0, detail = none, tokenize = 'ascii'
  );

  -- due_at of a leased job is the end of its lease. again_at is when the job was queued once more while leased.
  create table job (
    indicator_id blob not null,
    marking integer not null,
    queued_at integer not null,
    due_at integer not null,
    token integer not null default 0,
    leased integer not null default 0,
    again_at integer,
    attempts integer not null default 0,
    dead integer not null default 0,
    error text,
    -- Of the view when the job was queued; null if there was none.
    seq integer,
    primary key (indicator_id, marking)
  ) strict, without rowid;
  create index job_due on job (${MINUTE_DUE}, seq, due_at) where dead = 0;

  -- How far all views are queued again for new data. Views below seq are left; 0 means none (queue/requeue.ts).
  create table requeue (id integer primary key check (id = 1), generation integer not null, seq integer not null) strict;

  -- date_added is the place of a version: the sequence of the feed for all ceilings together. uuid is the binary UUID of
  -- object_id, used for lookups. audience holds the bits of the ceilings that see the version. owner is the UUID of the
  -- object whose collections govern this one, and second_owner that of the other end of a link. collections is a set of bits; -1 stands for all collections. joined holds
  -- the bits of the collections in which this version is the first one of its object, and one more bit if that is so for
  -- some ceilings only.
  create table feed (
    date_added integer primary key,
    object_id text not null,
    uuid blob not null,
    type text not null,
    version text not null,
    audience integer not null,
    owner blob,
    second_owner blob,
    collections integer not null,
    joined integer not null
  ) strict;
  create index feed_version on feed (uuid, version);
  -- What is not found beside its owner in feed_version (see feed/owned.ts).
  create index feed_stray on feed (owner) where ${IS_STRAY};
  create index feed_link on feed (owner) where second_owner is not null;
  create index feed_link_end on feed (second_owner) where second_owner is not null;
  -- The ranges of the log for versions that are not the newest (see feed/partitions.ts). type comes first, so that one
  -- probe shows that a type does not occur. The key of the table, date_added, ends every index.
  create index feed_partition on feed (type, audience, collections);
  -- The first versions of objects, without all later ones between them.
  create index feed_joined_partition on feed (type, audience, collections) where joined <> 0;
  create index feed_joined on feed (date_added, joined) where joined <> 0;
  -- The versions of one instant.
  create index feed_instant on feed (version);

  -- The newest versions of every object, in the order of pages, once for each of their collections (see feed/listing.ts).
  -- audience holds the ceilings for which the version is the newest one now.
  create table feed_live (
    listing integer not null,
    audience integer not null,
    date_added integer not null,
    primary key (listing, audience, date_added)
  ) strict, without rowid;

  -- When versions ceased to be the newest ones: superseded_at is the place of the next version of the object for the
  -- ceilings in audience. collections are those of the superseded version.
  create table feed_superseded (
    superseded_at integer not null,
    date_added integer not null,
    audience integer not null,
    collections integer not null,
    primary key (superseded_at, date_added)
  ) strict, without rowid;

  -- The audiences that occur in feed and feed_live, and perhaps more.
  create table feed_audience (
    audience integer primary key
  ) strict;

  -- The date_added that some readers see for a version, if it is not the place of the version. Each reader of the version
  -- is in one audience at most.
  create table feed_date (
    audience integer not null,
    date_added integer not null,
    shown integer not null,
    primary key (audience, date_added)
  ) strict, without rowid;
  create unique index feed_date_shown on feed_date (audience, shown);
  -- The audiences that occur in feed_date, and perhaps more. They are few.
  create table feed_dated (
    audience integer primary key
  ) strict;

  -- The place and the date of the newest version that each ceiling ever had. Each ceiling is in one audience at most.
  create table feed_end (
    audience integer primary key,
    date_added integer not null,
    shown integer not null
  ) strict;

  -- The number of a collection gives its bit and its listings; 0 is the whole feed. definition is null while the
  -- collection is retired. filled is 1 when it also holds the objects that were published before it was declared.
  create table feed_collection (
    number integer primary key check (number between 1 and ${LAST_COLLECTION}),
    id text not null unique,
    definition text,
    filled integer not null
  ) strict;

  -- Views of indicators that were long stale. record is the record as JSON, deflated; crc is the checksum of the JSON. seq
  -- is the one that the view had and gets again. object_id is the STIX id while the feed holds the last version.
  create table archive (
    seq integer primary key,
    id blob not null,
    created_at integer not null,
    archived_at integer not null,
    object_id text,
    crc integer not null,
    record blob not null
  ) strict;
  create index archive_id on archive (id);
  -- The first record that was archived. All records are deflated with it, since they resemble each other: it must never
  -- change.
  create table archive_dictionary (
    id integer primary key check (id = 1),
    record text not null
  ) strict;
  create index archive_in_feed on archive (archived_at) where object_id is not null;

  create table feed_object (
    date_added integer primary key,
    crc integer not null,
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

  -- Sessions of sensors, by a hash of reporter, sensor and session. members is JSON (domain/evidence/session-members.ts).
  create table session_seen (
    key blob primary key,
    seen_at integer not null,
    members text not null
  ) strict, without rowid;
  create index session_seen_at on session_seen (seen_at);

  -- Accepted events by the minute in which they were taken in, for three hours.
  create table event_minute (
    minute integer not null,
    marking integer not null,
    protocol integer not null,
    intent integer not null,
    events integer not null,
    primary key (minute, marking, protocol, intent)
  ) strict, without rowid;

  -- The sensors that reporters name, by the marking of their reports. level is the weight of their events at last_at
  -- (rules/event-rate.ts).
  create table sensor (
    account text not null,
    reporter text not null,
    marking integer not null,
    sensor text not null,
    title text not null,
    type integer not null,
    last_at integer not null,
    level real not null,
    primary key (account, reporter, marking, sensor)
  ) strict, without rowid;
  create index sensor_last on sensor (last_at);

  -- What events added on a UTC day, by the key of their reporter. The empty key has the sum of all.
  create table growth (
    day integer not null,
    reporter text not null,
    new_values integer not null,
    bytes integer not null,
    primary key (day, reporter)
  ) strict, without rowid;

  create table api_key (
    id text primary key,
    hash blob not null unique,
    account text not null,
    created_at integer not null,
    expires_at integer,
    revoked_at integer,
    successor_id text,
    fields text not null
  ) strict;
  create index api_key_created on api_key (account, created_at desc, id);
  -- The keys of an account that are not revoked, by their end. A key without one comes last.
  create index api_key_live on api_key (account, ifnull(expires_at, ${Number.MAX_SAFE_INTEGER}))
    where revoked_at is null;

  -- People who sign in. issuer and subject name a person of an identity provider outside. password is JSON (store/person.ts).
  create table person (
    id text primary key,
    login text not null unique,
    account text not null,
    created_at integer not null,
    disabled_at integer,
    last_sign_in_at integer,
    issuer text,
    subject text,
    fields text not null,
    password text
  ) strict;
  create index person_account on person (account, login);
  create unique index person_external on person (issuer, subject) where issuer is not null;

  -- People who are signed in.
  create table person_session (
    id text primary key,
    hash blob not null unique,
    person_id text not null,
    created_at integer not null,
    last_used_at integer not null,
    expires_at integer not null,
    fields text not null
  ) strict;
  create index person_session_person on person_session (person_id, created_at);
  create index person_session_end on person_session (expires_at);

  create table sign_in_link (
    person_id text primary key,
    hash blob not null unique,
    purpose text not null,
    created_at integer not null,
    expires_at integer not null
  ) strict, without rowid;

  -- id is the credential id of WebAuthn.
  create table passkey (
    id text primary key,
    person_id text not null,
    created_at integer not null,
    last_used_at integer,
    counter integer not null,
    fields text not null
  ) strict, without rowid;
  create index passkey_person on passkey (person_id, created_at);

  ${OPENID_TABLES}
  -- The times of the service, which never step back (see domain/service-times.ts).
  create table service_times (
    id integer primary key check (id = 1),
    generation integer not null,
    expiry integer not null,
    service integer not null,
    memory integer not null,
    doubt_since integer,
    doubt_lead integer
  ) strict;

  create table audit (
    seq integer primary key,
    at integer not null,
    actor text not null,
    action text not null,
    target text not null,
    detail text not null
  ) strict;
  create index audit_by_actor on audit (actor, seq);
  create index audit_by_action on audit (action, seq);
  create index audit_by_target on audit (target, seq);
    `,
  ],
};
