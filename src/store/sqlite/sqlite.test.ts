// The SQLite driver keeps the contract of all stores.
//
// More random histories of the feed:
// node --test-name-pattern='this ceiling alone' src/store/sqlite/sqlite.test.ts --histories 2000

import { parseArgs } from 'node:util';
import { NOW } from '../contract/fixtures.ts';
import { describeStoreContract } from '../contract/suite.ts';
import { openTemporaryStore } from '../contract/temporary-store.test-support.ts';

const { values: flags } = parseArgs({ options: { histories: { type: 'string' } }, strict: false });
const histories = flags.histories === undefined ? undefined : Number(flags.histories);

describeStoreContract('SQLite', () => openTemporaryStore(() => NOW), histories);
