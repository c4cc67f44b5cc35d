// Bringing files of planted older schemas up to date.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { Connection } from '../connection.ts';
import { OpenFile } from '../open-file.ts';
import { migrate, type Schema, schemaVersion, storedVersion } from './migrate.ts';

const SCHEMA: Schema = {
  applicationId: 0x54495374,
  firstTable: 'note',
  firstVersion: 10,
  steps: [
    'create table note (text text not null)',
    `alter table note add column kind text not null default 'old'`,
    `create index note_kind on note (kind); update note set text = upper(text)`,
  ],
};

let connection: Connection;

/** The schema as a program knew it that had only the first steps. */
function earlier(steps: number): Schema {
  return { ...SCHEMA, steps: SCHEMA.steps.slice(0, steps) };
}

function structure(): unknown[][] {
  return connection.rows('select name, sql from sqlite_schema order by name');
}

describe('bringing files up to date', () => {
  beforeEach(() => {
    connection = new Connection(new OpenFile(':memory:'), { readOnly: false });
  });
  afterEach(() => connection.close());

  test('a new file gets every step', () => {
    migrate(connection, SCHEMA);
    assert.equal(storedVersion(connection), 12);
    assert.equal(schemaVersion(SCHEMA), 12);
    assert.deepEqual(
      structure().map(([name]) => name),
      ['note', 'note_kind'],
    );
  });

  test('a file of an older schema gets the steps it lacks, and keeps what is in it', () => {
    migrate(connection, SCHEMA);
    const expected = structure();
    for (const steps of [1, 2, 3]) {
      connection.close();
      connection = new Connection(new OpenFile(':memory:'), { readOnly: false });
      migrate(connection, earlier(steps));
      assert.equal(storedVersion(connection), 9 + steps);
      connection.run(`insert into note (text) values ('a')`);
      migrate(connection, SCHEMA);
      migrate(connection, SCHEMA);
      assert.deepEqual(structure(), expected);
      assert.deepEqual(connection.rows('select text, kind from note'), [[steps < 3 ? 'A' : 'a', 'old']]);
    }
  });

  test('a file of a newer schema, or of one before the first, is refused', () => {
    migrate(connection, SCHEMA);
    assert.throws(() => migrate(connection, earlier(2)), {
      code: 'failed_precondition',
      message: /schema 12\); this one reads schema 11/,
    });
    connection.database.exec('pragma user_version = 9');
    assert.throws(() => migrate(connection, SCHEMA), {
      code: 'failed_precondition',
      message: /start with an empty data folder/,
    });
    assert.equal(storedVersion(connection), 9);
  });

  test('a step that fails changes nothing in the transaction of the caller once it is undone', () => {
    connection.database.exec('begin');
    const broken = { ...SCHEMA, steps: [...SCHEMA.steps, 'create table note (x)'] };
    assert.throws(
      () => migrate(connection, broken),
      ({ cause }: Error) => /already exists/.test(String(cause)),
    );
    connection.database.exec('rollback');
    assert.equal(storedVersion(connection), 0);
    assert.deepEqual(structure(), []);
  });
});
