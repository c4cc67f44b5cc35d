// Checking a data folder: that SQLite finds its files undamaged, and that their rows agree. It only reads, as of one
// instant, so it can run beside a service and on a backup.

import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { ServiceError } from '../../../domain/errors.ts';
import type { CheckReport, OnProgress } from '../../driver.ts';
import { wrongChecksums } from '../checksums.ts';
import { Connection } from '../connection.ts';
import { dataFiles, fileHasContent, listDataFiles } from '../files.ts';
import { OpenFile } from '../open-file.ts';
import { requirePaired } from '../pairing.ts';
import { STORE_SCHEMA } from '../schema.ts';
import { USAGE_SCHEMA } from '../usage/usage-schema.ts';
import { ARCHIVE_RULES, checkArchive } from './check-archive.ts';
import { checkEvidence } from './check-evidence.ts';
import { checkFeed } from './check-feed.ts';
import { checkIndicators } from './check-indicators.ts';
import { type CheckRule, Findings, STORE_RULES, USAGE_RULES } from './check-rules.ts';
import { type Schema, schemaVersion, storedVersion } from './migrate.ts';

/**
 * Reads everything: a million indicators take some minutes. Progress covers the walk over indicators and feed.
 * @throws ServiceError `failed_precondition` if there is no store.
 */
export function checkDataFolder(dataDir: string, onProgress: OnProgress = () => {}): CheckReport {
  const files = dataFiles(dataDir);
  const { store, usage } = files;
  if (!fileHasContent(store) && !fileHasContent(usage)) {
    throw new ServiceError('failed_precondition', `there is no store in ${dataDir}`, { reason: 'NO_STORE' });
  }
  const findings = new Findings();
  const totals = { indicators: 0, archived: 0, feedVersions: 0, jobs: { pending: 0, dead: 0 } };
  try {
    requirePaired(files);
  } catch (error) {
    findings.add('paired', problemOf(error, basename(dataDir)));
  }
  if (fileHasContent(store))
    examine(store, STORE_SCHEMA, findings, (connection) => {
      Object.assign(totals, readTotals(connection));
      const rows = totals.indicators + totals.archived + totals.feedVersions;
      let done = 0;
      const onRow = () => {
        done += 1;
        if (done % 1_000 === 0) onProgress(done / rows);
      };
      for (const row of wrongChecksums(connection)) findings.add('checksum', row);
      checkRules(connection, [...STORE_RULES, ...ARCHIVE_RULES], findings);
      checkIndicators(connection, findings, onRow);
      checkEvidence(connection, findings);
      checkArchive(connection, findings, onRow);
      checkFeed(connection, findings, onRow);
    });
  if (fileHasContent(usage)) {
    examine(usage, USAGE_SCHEMA, findings, (connection) => checkRules(connection, USAGE_RULES, findings));
  }
  return {
    ok: findings.count === 0,
    files: listDataFiles(dataDir)
      .filter(existsSync)
      .map((path) => ({ name: basename(path), bytes: statSync(path).size })),
    ...totals,
    problemCount: findings.count,
    problems: findings.listed,
  };
}

/** Checks one file, as of one instant. A file that SQLite cannot read is a problem, not a failure of the check. */
function examine(
  path: string,
  schema: Schema,
  findings: Findings,
  look: (connection: Connection) => void,
): void {
  const name = basename(path);
  let connection: Connection | undefined;
  try {
    connection = new Connection(new OpenFile(path), { readOnly: true, schema });
    connection.exec('begin');
    const found = connection.rows('pragma integrity_check').map(([line]) => String(line));
    if (found.join() !== 'ok') for (const line of found) findings.add('integrity', `${name}: ${line}`);
    const version = storedVersion(connection);
    const wanted = schemaVersion(schema);
    if (version === wanted) look(connection);
    else
      findings.add(
        'schema',
        `${name}: version ${version} instead of ${wanted}; ${remedyOf(version, schema)}`,
      );
  } catch (error) {
    findings.add('readable', problemOf(error, name));
  } finally {
    connection?.close();
  }
}

/** What an error tells the operator. */
function problemOf(error: unknown, name: string): string {
  if (!(error instanceof ServiceError)) return `${name}: ${error instanceof Error ? error.message : error}`;
  const { diagnosis, cause } = error.details;
  return diagnosis ?? `${name}: ${cause instanceof Error ? cause.message : error.message}`;
}

function remedyOf(version: number, { firstVersion }: Schema): string {
  return version < firstVersion ? 'start with an empty data folder' : 'run `tis migrate` or a newer tis';
}

function checkRules(connection: Connection, rules: readonly CheckRule[], findings: Findings): void {
  for (const { rule, broken } of rules) {
    for (const [subject] of connection.each(broken)) findings.add(rule, String(subject));
  }
}

function readTotals(
  connection: Connection,
): Pick<CheckReport, 'indicators' | 'archived' | 'feedVersions' | 'jobs'> {
  const [indicators, archived, feedVersions, pending, dead] = connection.row(
    `select (select count(*) from indicator), (select count(*) from archive), (select count(*) from feed),
       (select count(*) from job where dead = 0), (select count(*) from job where dead = 1)`,
  ) as [number, number, number, number, number];
  return { indicators, archived, feedVersions, jobs: { pending, dead } };
}
