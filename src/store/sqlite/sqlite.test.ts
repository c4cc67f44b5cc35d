// The SQLite driver keeps the contract of all stores.

import { NOW } from '../contract/fixtures.ts';
import { describeStoreContract } from '../contract/suite.ts';
import { openTemporaryStore } from './temporary-store.test-fixture.ts';

describeStoreContract('SQLite', () => openTemporaryStore(() => NOW));
