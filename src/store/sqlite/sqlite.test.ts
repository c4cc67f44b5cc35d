// The SQLite driver keeps the contract of all stores.

import { NOW } from '../contract/fixtures.ts';
import { describeStoreContract } from '../contract/suite.ts';
import { openTemporaryStore } from '../contract/temporary-store.test-support.ts';

describeStoreContract('SQLite', () => openTemporaryStore(() => NOW));
