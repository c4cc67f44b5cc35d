// The embedded store: one SQLite file, one writing connection, one reading connection.

import { randomBytes } from 'node:crypto';
import type { Clock } from '../../domain/instant.ts';
import type { Soundness } from '../damage.ts';
import type { CacheSizes } from '../driver.ts';
import type { AuditSearch, Installation, Stores, WriteTransaction } from '../stores.ts';
import { addActivity, createActivityReader, forgetActivity } from './activity/activity.ts';
import { createApiKeyReader, createApiKeyWriter } from './api-keys.ts';
import { archiveIndicators, createArchiveReader, forgetArchivedInFeed } from './archive/archive.ts';
import { readAudit, writeAudit } from './audit.ts';
import { Connection } from './connection.ts';
import { loadEvidence, removeEvidence, saveEvidence } from './evidence/evidence-rows.ts';
import { createCollectionWriter } from './feed/collections.ts';
import { createFeedReader } from './feed/log-reader.ts';
import { appendToFeed } from './feed/log-writer.ts';
import { compactFeed } from './feed/withdrawal.ts';
import { type DataFiles, makePrivateFile } from './files.ts';
import { GroupCommit } from './group-commit.ts';
import { migrate } from './maintenance/migrate.ts';
import { OpenFile } from './open-file.ts';
import { createOpenidClientReader, createOpenidClientWriter } from './openid/clients.ts';
import { createOpenidKeyReader, createOpenidKeyWriter } from './openid/keys.ts';
import { createOpenidRecordReader, createOpenidRecordWriter } from './openid/records.ts';
import { requireStoreOrNothing } from './pairing.ts';
import { createPasskeyReader, createPasskeyWriter } from './people/passkeys.ts';
import { createPersonReader, createPersonWriter } from './people/people.ts';
import { createSessionReader, createSessionWriter } from './people/sessions.ts';
import { createSignInLinkReader, createSignInLinkWriter } from './people/sign-in-links.ts';
import { addGrowth, forgetGrowthBefore, readGrowth } from './queue/growth.ts';
import {
  claimJobs,
  completeJobs,
  createJobReader,
  enqueueJobs,
  failJob,
  hastenJobs,
  haveJobs,
  reviveJobs,
} from './queue/job-queue.ts';
import { requeueViews } from './queue/requeue.ts';
import { forgetBefore, forgetEvents, recallRequest, rememberEvents, rememberRequest } from './queue/seen.ts';
import { recallSessions, rememberSession } from './queue/sessions.ts';
import { STORE_SCHEMA } from './schema.ts';
import { createIndicatorReader } from './search/indicator-reader.ts';
import {
  creationInstant,
  loadIndicators,
  loadViews,
  readRevisions,
  removeViews,
  saveIndicators,
} from './search/indicator-writer.ts';
import { tidySearch } from './search/tidying.ts';
import { readTimes, writeTimes } from './service-times.ts';
import { watchSoundness } from './soundness.ts';
import { asStoreError, guarded } from './store-errors.ts';

/**
 * Opens the store of a data folder. Creates its file if it does not exist, and brings its schema up to date.
 * Rejects with ServiceError `unavailable` if the file cannot be opened or written, or is damaged, and with
 * `failed_precondition` if another version of this program wrote it.
 */
export async function openSqliteStores(files: DataFiles, clock: Clock, caches?: CacheSizes): Promise<Stores> {
  const path = files.store;
  let writing: Connection | undefined;
  try {
    requireStoreOrNothing(files);
    makePrivateFile(path);
    const file = new OpenFile(path);
    writing = new Connection(file, {
      readOnly: false,
      schema: STORE_SCHEMA,
      cacheBytes: caches?.writing,
    });
    const { mark, ...installation } = prepare(writing, clock);
    const reading = new Connection(file, { readOnly: true, cacheBytes: caches?.reading });
    return { ...createStores(writing, reading, installation), ...watchSoundness(file, STORE_SCHEMA, mark) };
  } catch (error) {
    writing?.close();
    throw asStoreError(error, path);
  }
}

function prepare(connection: Connection, clock: Clock): Installation & { readonly mark: Uint8Array } {
  connection.exec('begin immediate');
  try {
    migrate(connection, STORE_SCHEMA);
    connection.run(
      'insert into installation (id, secret, mark, created_at) values (1, ?, ?, ?) on conflict do nothing',
      randomBytes(32),
      randomBytes(16),
      clock(),
    );
    const [secret, mark, createdAt] =
      connection.row('select secret, mark, created_at from installation') ?? [];
    connection.exec('commit');
    return {
      secret: Buffer.from(secret as Uint8Array),
      mark: mark as Uint8Array,
      createdAt: createdAt as number,
    };
  } catch (error) {
    connection.rollBack();
    throw error;
  }
}

function createStores(
  writing: Connection,
  reading: Connection,
  installation: Installation,
): Omit<Stores, keyof Soundness> {
  const transaction = createTransaction(writing);
  const groups = new GroupCommit(writing);
  return {
    installation,
    recallRequest: guarded((key: string) => recallRequest(reading, key)),
    indicators: createIndicatorReader(reading),
    archive: createArchiveReader(reading),
    feed: createFeedReader(reading),
    jobs: createJobReader(reading),
    activity: createActivityReader(reading),
    keys: createApiKeyReader(reading),
    people: createPersonReader(reading),
    sessions: createSessionReader(reading),
    links: createSignInLinkReader(reading),
    passkeys: createPasskeyReader(reading),
    openidClients: createOpenidClientReader(reading),
    openidKeys: createOpenidKeyReader(reading),
    openidRecords: createOpenidRecordReader(reading),
    times: guarded(() => readTimes(reading)),
    audit: guarded((limit: number, search?: AuditSearch) => readAudit(reading, limit, search)),
    write: (work) =>
      groups.write(async (connection) => {
        const appends: Append[] = [];
        let ended = false;
        const append = guarded((...versions: Append) => {
          if (ended) throw new TypeError('append was called after the work had ended');
          appends.push(versions);
        });
        const result = await work({ ...transaction, append }).finally(() => {
          ended = true;
        });
        for (const [changes, now] of appends) appendToFeed(connection, changes, now);
        return result;
      }),
    close: async () => {
      await groups.idle();
      reading.close();
      writing.close();
    },
  };
}

type Append = Parameters<WriteTransaction['append']>;

/** All members but `append`, which collects the versions of one work. */
function createTransaction(connection: Connection): Omit<WriteTransaction, 'append'> {
  const on = <Arguments extends unknown[], Result>(
    work: (connection: Connection, ...given: Arguments) => Result,
  ) => guarded((...given: Arguments) => work(connection, ...given));
  return {
    rememberEvents: on(rememberEvents),
    forgetEvents: on(forgetEvents),
    forgetEventsBefore: guarded((instant, limit) => forgetBefore(connection, 'event_seen', instant, limit)),
    recallRequest: on(recallRequest),
    rememberRequest: on(rememberRequest),
    forgetRequestsBefore: guarded((instant, limit) =>
      forgetBefore(connection, 'request_seen', instant, limit),
    ),
    recallSessions: on(recallSessions),
    rememberSession: on(rememberSession),
    forgetSessionsBefore: guarded((instant, limit) =>
      forgetBefore(connection, 'session_seen', instant, limit),
    ),
    growthOn: on(readGrowth),
    addGrowth: on(addGrowth),
    forgetGrowthBefore: on(forgetGrowthBefore),
    addActivity: on(addActivity),
    forgetActivity: on(forgetActivity),
    load: on(loadIndicators),
    loadViews: on(loadViews),
    revisions: on(readRevisions),
    creationInstant: on(creationInstant),
    save: on(saveIndicators),
    loadEvidence: on(loadEvidence),
    saveEvidence: on(saveEvidence),
    removeEvidence: on(removeEvidence),
    removeViews: on(removeViews),
    tidySearch: on(tidySearch),
    archive: on(archiveIndicators),
    forgetArchivedInFeed: on(forgetArchivedInFeed),
    enqueue: on(enqueueJobs),
    haveJobs: on(haveJobs),
    claim: on(claimJobs),
    complete: on(completeJobs),
    fail: on(failJob),
    revive: on(reviveJobs),
    requeue: on(requeueViews),
    hastenJobs: on(hastenJobs),
    collections: createCollectionWriter(connection),
    compactFeed: on(compactFeed),
    keys: createApiKeyWriter(connection),
    people: createPersonWriter(connection),
    sessions: createSessionWriter(connection),
    links: createSignInLinkWriter(connection),
    passkeys: createPasskeyWriter(connection),
    openidClients: createOpenidClientWriter(connection),
    openidKeys: createOpenidKeyWriter(connection),
    openidRecords: createOpenidRecordWriter(connection),
    times: on(readTimes),
    saveTimes: on(writeTimes),
    audit: on(writeAudit),
  };
}
