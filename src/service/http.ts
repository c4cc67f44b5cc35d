// Wiring of the answering side: HTTP over the reading side of the store. Changes go to the threads that write.

import { Server as TlsServer } from 'node:tls';
import { createAdminServer } from '../api/admin/admin-server.ts';
import { createConnectionBounds } from '../api/http/connections.ts';
import { createEventStreams } from '../api/http/event-streams.ts';
import { registerHealth } from '../api/http/health.ts';
import { createRooms } from '../api/http/room.ts';
import { createServer } from '../api/http/server.ts';
import { createWorkTurns } from '../api/http/work-turns.ts';
import { registerRest } from '../api/rest/rest.ts';
import { REST_ERRORS } from '../api/rest/rest-errors.ts';
import { TAXII_ERRORS } from '../api/taxii/errors.ts';
import { API_ROOT } from '../api/taxii/resources.ts';
import { createSubmissions } from '../api/taxii/submissions.ts';
import { registerTaxii } from '../api/taxii/taxii.ts';
import { auditSearch } from '../api/web/audit-search.ts';
import { feedCollections, feedConsumers } from '../api/web/consumers.ts';
import { registerDataRoutes } from '../api/web/data-routes.ts';
import { deadLetters } from '../api/web/dead-letters.ts';
import { liveFigures, registerLiveStream } from '../api/web/live.ts';
import { createPageFiles } from '../api/web/page-files.ts';
import { registerPages } from '../api/web/pages.ts';
import { peopleRoutes } from '../api/web/people.ts';
import { createSessionRequests } from '../api/web/session-requests.ts';
import { usageByCredential } from '../api/web/usage-by-credential.ts';
import { registerWeb } from '../api/web/web.ts';
import type { Config } from '../config.ts';
import type { FeedCollection } from '../domain/collection.ts';
import type { Instant } from '../domain/instant.ts';
import { createIndicatorWatch } from '../feed/watch.ts';
import { type Admission, type Admit, createGate } from '../gateway/admit.ts';
import { createGateway } from '../gateway/authenticate.ts';
import { isPerson } from '../gateway/authorize.ts';
import type { Caller } from '../gateway/caller.ts';
import { createSiteOf } from '../gateway/site.ts';
import { liesWithin, parseSourceRange } from '../gateway/source-ranges.ts';
import { createVolumeLimits } from '../gateway/volume-limits.ts';
import { createKnownDevices } from '../identity/known-device.ts';
import { createPasswordHashing } from '../identity/password-hash.ts';
import { createFeedPolls } from '../metering/feed-polls.ts';
import { createLastUse, type NoteUse } from '../metering/last-use.ts';
import { createMeter } from '../metering/meter.ts';
import { createRefusals, type NoteRefusal } from '../metering/refusals.ts';
import { createRecallStatus } from '../pipeline/statuses.ts';
import { createAggregate } from '../search/aggregate.ts';
import type { SlowReads } from '../search/bounded-reads.ts';
import { createLiveFigures } from '../search/live-figures.ts';
import { createLookup } from '../search/lookup.ts';
import { createSearch } from '../search/search.ts';
import type { Stores } from '../store/stores.ts';
import type { UsageReader } from '../store/usage.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Readiness } from '../telemetry/readiness.ts';
import { monotonicClock, type ServiceClock } from './clock.ts';
import type { HttpLimits } from './http-limits.ts';
import type { MeteringCalls } from './metering.ts';
import { identityTokens, openidPlugins, ownNames } from './openid.ts';
import type { PipelineCalls } from './pipeline.ts';
import { createSessions } from './sessions.ts';
import { systemClock } from './stores.ts';
import { WEB_DIST } from './web-files.ts';

export interface HttpParts {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly readiness: () => Promise<Readiness>;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
  readonly stores: Stores;
  readonly usage: UsageReader;
  readonly clock: ServiceClock;
  readonly commands: PipelineCalls;
  readonly metering: MeteringCalls;
  /** Absent: no search is too slow for this thread. */
  readonly slowReads?: SlowReads;
  /** Declared parts of the feed. */
  readonly collections: readonly FeedCollection[];
  readonly limits: HttpLimits;
}

/** The server of the public port, and how to make that of the admin port. */
export interface HttpServers {
  readonly app: ReturnType<typeof createServer>;
  readonly createAdmin: () => ReturnType<typeof createAdminServer>;
}

/** Bodies of the lookups that are answered at the same time: one of ten thousand addresses, or many small ones. */
const LOOKUP_BYTES = 262_144;

/** Any body is larger. */
const ONE_AT_A_TIME = 0;

/** Makes the server of the public port. It does not listen yet. */
export async function createHttp(
  {
    log,
    metrics,
    readiness,
    stopping,
    stores,
    usage,
    clock,
    commands,
    metering,
    slowReads,
    collections,
    limits: { shares, createLimiter, rooms: ledgers, connections, streams, workTurns },
  }: HttpParts,
  config: Config,
): Promise<HttpServers> {
  const expiry = {
    clock: clock.expiry,
    monotonic: monotonicClock,
    onExpired: storingExpiry(clock, commands),
  };
  const siteOf = createSiteOf({ publicUrl: config.publicUrl, tls: config.tls !== undefined });
  const names = ownNames(config, () => app.server);
  const sessions = createSessions({ siteOf, sessions: stores.sessions, commands, ...expiry });
  const gateway = createGateway({
    keys: stores.keys,
    sessions: sessions.credentials,
    identityTokens: identityTokens(config, stores, names, expiry),
    ...expiry,
  });
  const gate = createGate({
    gateway,
    credentialLimit: config.rateLimit,
    clock: monotonicClock,
    createLimiter,
  });
  const noteUse = createLastUse(metering.touch, clock.service);
  const noteRefusal = createRefusals(metering.refuse, clock.service);
  const trust = trustedProxies(config);
  const boundConnections = createConnectionBounds({ limits: config.connections, metrics, ...trust });
  const admit = recordingUse(gate.admit, noteUse, noteRefusal, sessions.noteUse);
  const devices = createKnownDevices(stores.installation.secret);
  const requests = createSessionRequests({ admit, siteOf, stores, devices });
  const openid = await openidPlugins({
    ...{ config, stores, commands, names, siteOf, requests, clock, createLimiter, log },
    monotonic: monotonicClock,
  });
  const external = config.oidc && { name: config.oidc.name, startUrl: '/auth/start' };
  const tls = await openTls(config);
  const { spendEvents, spendLookups, spendBytes } = createVolumeLimits({
    ...config.volumeLimit,
    clock: monotonicClock,
    createLimiter,
  });
  const rooms = createRooms(shares, metrics, ledgers);
  const openStream = createEventStreams({ admit, clock: clock.expiry, open: streams, metrics, stopping });
  const aggregate = createAggregate(stores.indicators, slowReads);
  const figures = createLiveFigures({ stores, aggregate, clock: clock.service });
  const app = createServer({
    log,
    metrics,
    tls: tls?.identity,
    boundConnections: (server) => boundConnections(server, connections),
    bodies: { room: rooms.bodies, spendBytes },
    answers: rooms.answers,
    stopping,
    ...trust,
    corsOrigins: config.corsOrigins,
    plugins: [
      (app) => registerHealth(app, readiness),
      (app) =>
        registerRest(app, {
          admit,
          workTurns,
          spendEvents,
          spendLookups,
          aggregate,
          aggregateTurns: createWorkTurns(ONE_AT_A_TIME),
          lookup: createLookup(stores.indicators, stores.installation.secret),
          lookupTurns: createWorkTurns(LOOKUP_BYTES),
          search: createSearch(stores.indicators, stores.installation.secret, slowReads),
          stores,
          usage,
          commands,
          meter: createMeter(metering.record, clock.service),
          watch: createIndicatorWatch(stores, clock.service),
          openStream,
          clock: clock.expiry,
        }),
      (app) =>
        registerTaxii(app, {
          feed: stores.feed,
          installation: stores.installation,
          notePoll: createFeedPolls(metering.followPolls, systemClock),
          admitTaxii: recordingUse(gate.admitTaxii, noteUse, noteRefusal),
          workTurns,
          collections,
          submissions: createSubmissions({
            recallStatus: createRecallStatus(stores),
            indicators: stores.indicators,
            installation: stores.installation,
            commands,
            spendEvents,
            clock: clock.service,
            defaultTlp: config.defaultTlp,
            createLimiter,
          }),
          publicUrl: config.publicUrl,
        }),
      (app) =>
        registerDataRoutes(
          app,
          [
            auditSearch(stores),
            ...deadLetters({ jobs: stores.jobs, retryDeadLetters: commands.retryDeadLetters }),
            usageByCredential({ usage, keys: stores.keys, people: stores.people }),
            feedConsumers({ usage, keys: stores.keys, feed: stores.feed }),
            feedCollections(collections),
            liveFigures({ figures }),
            ...peopleRoutes({ stores, commands }),
          ],
          admit,
        ),
      (app) => registerLiveStream(app, { admit, figures, openStream }),
      (app) => registerPages(app, createPageFiles(WEB_DIST)),
      (app) =>
        registerWeb(app, {
          admit,
          siteOf,
          stores,
          commands,
          hashing: createPasswordHashing(),
          clock: clock.expiry,
          createLimiter,
          external,
        }),
      ...openid,
      ...(await leakReporting(config, commands)),
    ],
    errorFormat: REST_ERRORS,
    errorFormats: { [API_ROOT]: TAXII_ERRORS },
  });
  tls?.follow(app.server, { log, metrics });
  const createAdmin = () =>
    createAdminServer({ log, metrics, admit: withoutCookies(admit), boundConnections, ...trust });
  return { app, createAdmin };
}

/** Loaded only where the service speaks TLS itself. */
async function openTls({ tls }: Config) {
  if (tls === undefined) return undefined;
  const { readTlsFiles, followTlsFiles } = await import('./tls-files.ts');
  const identity = await readTlsFiles(tls);
  const follow = (server: unknown, parts: Parameters<typeof followTlsFiles>[3]) => {
    if (server instanceof TlsServer) followTlsFiles(tls, identity, server, parts);
  };
  return { identity, follow };
}

/** Stores the time at which a credential was refused for its age: it stays refused after a crash and a step back. */
function storingExpiry(clock: ServiceClock, commands: PipelineCalls): (expiresAt: Instant) => Promise<void> {
  let storing: Promise<void> | undefined;
  const store = async () => {
    await commands.saveTimes();
    await clock.look();
  };
  return async (expiresAt) => {
    // What is being stored may be of the time before: twice is enough. A full disk does not hinder the refusal.
    for (let attempt = 0; attempt < 2 && expiresAt > clock.storedExpiry; attempt++) {
      storing ??= store().finally(() => {
        storing = undefined;
      });
      await storing.catch(() => undefined);
    }
  };
}

/** Loaded only where a secret scanner is configured. */
async function leakReporting({ secretScanningKeys }: Config, commands: PipelineCalls) {
  if (secretScanningKeys === undefined) return [];
  const [{ leakReports }, { createScannerKeys, scannerKeySource }] = await Promise.all([
    import('../api/rest/leak-reports.ts'),
    import('../gateway/scanner-keys.ts'),
  ]);
  const keys = createScannerKeys({ load: scannerKeySource(secretScanningKeys), clock: monotonicClock });
  return [leakReports({ verifyReport: keys, commands })];
}

function trustedProxies(config: Config): { trustsProxy?: (address: string) => boolean } {
  const proxies = config.trustedProxies.flatMap((text) => parseSourceRange(text) ?? []);
  return proxies.length === 0 ? {} : { trustsProxy: (address) => liesWithin(proxies, address) };
}

/** A proxy that asks for a request hands on all of its headers. Cookies are for pages of this service. */
function withoutCookies(admit: Admit): Admit {
  return Object.assign((...[headers, address]: Parameters<Admit>) => admit(headers, address), {
    ...(admit.atHand === undefined ? {} : { atHand: admit.atHand }),
  });
}

/** Notes the use of a key that passes the gate, and who was over the limit. Tokens are not noted: nobody lists them. */
function recordingUse(
  admit: Admit,
  noteUse: NoteUse,
  noteRefusal: NoteRefusal,
  noteSession: (caller: Caller) => void = () => undefined,
): Admit {
  const note = <Given extends Admission | undefined>(admission: Given): Given => {
    if (admission?.refused !== undefined) noteRefusal(admission.refused);
    const caller = admission?.caller;
    if (caller?.credential === 'session') noteSession(caller);
    else if (caller !== undefined && !isPerson(caller)) noteUse(caller.id);
    return admission;
  };
  const { atHand, again } = admit;
  return Object.assign(
    async (...request: Parameters<Admit>) => note(await admit(...request)),
    atHand && { atHand: (...[headers, address]: Parameters<Admit>) => note(atHand(headers, address)) },
    again && { again },
  );
}
