// One-time links in SQLite.

import type { LinkPurpose, SignInLink, SignInLinkReader, SignInLinkWriter } from '../../sign-in-link.ts';
import type { Connection } from '../connection.ts';
import { guarded } from '../store-errors.ts';

const COLUMNS = 'person_id, purpose, created_at, expires_at';

export function createSignInLinkReader(connection: Connection): SignInLinkReader {
  return {
    byHash: guarded((hash: string) =>
      toLink(connection.row(`select ${COLUMNS} from sign_in_link where hash = ?`, Buffer.from(hash, 'hex'))),
    ),
    ofPerson: guarded((personId: string) =>
      toLink(connection.row(`select ${COLUMNS} from sign_in_link where person_id = ?`, personId)),
    ),
  };
}

function toLink(row: unknown[] | undefined): SignInLink | undefined {
  if (row === undefined) return undefined;
  const [personId, purpose, createdAt, expiresAt] = row;
  return {
    personId: personId as string,
    purpose: purpose as LinkPurpose,
    createdAt: createdAt as number,
    expiresAt: expiresAt as number,
  };
}

export function createSignInLinkWriter(connection: Connection): SignInLinkWriter {
  return {
    ...createSignInLinkReader(connection),
    put: guarded(({ personId, purpose, createdAt, expiresAt }: SignInLink, hash: string) => {
      connection.run(
        `insert or replace into sign_in_link (person_id, hash, purpose, created_at, expires_at)
         values (?, ?, ?, ?, ?)`,
        personId,
        Buffer.from(hash, 'hex'),
        purpose,
        createdAt,
        expiresAt,
      );
    }),
    remove: guarded((personId: string) => {
      connection.run('delete from sign_in_link where person_id = ?', personId);
    }),
  };
}
