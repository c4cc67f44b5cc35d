// The contract of a store: the rules that every driver must keep. The test of a driver runs them with its own opener.

import { describe, test } from 'node:test';
import { describeActivity } from './activity.ts';
import { describeApiKeys } from './api-keys.ts';
import { describeArchive } from './archive.ts';
import { describeConcurrency } from './concurrency.ts';
import { describeEvidence } from './evidence.ts';
import { describeFeed } from './feed.ts';
import { describeFeedAudiences } from './feed-audiences.ts';
import { describeFeedCollections } from './feed-collections.ts';
import { describeFeedLinks } from './feed-links.ts';
import { describeFeedQueries } from './feed-queries.ts';
import { describeFeedVersions } from './feed-versions.ts';
import { describeFilter } from './filter.ts';
import { describeGrowth } from './growth.ts';
import { describeJobs } from './jobs.ts';
import { describeMaintenance } from './maintenance.ts';
import { describeOpenid } from './openid.ts';
import { describePaging } from './paging.ts';
import { describePeople } from './people.ts';
import { describeRecords } from './records.ts';
import type { OpenedStore, OpenedUsage, UsageRule } from './rule.ts';
import { describeSeen } from './seen.ts';
import { describeServiceTimes } from './service-times.ts';
import { describeTextSearch } from './text-search.ts';
import { describeUsageOutbox } from './usage-outbox.ts';
import { describeLastUse, describeRefusals, describeUsageSums } from './usage-sums.ts';
import { describeViews } from './views.ts';
import { describeWalking } from './walking.ts';
import { describeWriting } from './writing.ts';

/** Random histories of the feed in a run of the suite. Each takes a tenth of a second. */
const HISTORIES = 20;

/**
 * @param open makes an empty store. Called once for each rule, so that no rule sees the data of another.
 * @param histories random histories of the feed, for a longer run.
 */
export function describeStoreContract(
  name: string,
  open: () => Promise<OpenedStore>,
  histories = HISTORIES,
): void {
  const rule = (rule: string, check: (opened: OpenedStore) => Promise<void>) => {
    test(rule, async () => {
      const opened = await open();
      try {
        await check(opened);
      } finally {
        await opened.dispose();
      }
    });
  };
  describe(`${name}: people, sessions and links`, () => describePeople(rule));
  describe(`${name}: OpenID clients, keys and records`, () => describeOpenid(rule));
  describe(`${name}: records`, () => describeRecords(rule));
  describe(`${name}: views`, () => describeViews(rule));
  describe(`${name}: kept evidence`, () => describeEvidence(rule));
  describe(`${name}: search by filter`, () => describeFilter(rule));
  describe(`${name}: search by text`, () => describeTextSearch(rule));
  describe(`${name}: order, pages and counts`, () => describePaging(rule));
  describe(`${name}: walking through all matches`, () => describeWalking(rule));
  describe(`${name}: feed`, () => describeFeed(rule));
  describe(`${name}: versions in the feed`, () => describeFeedVersions(rule));
  describe(`${name}: owners and collections in the feed`, () => describeFeedCollections(rule));
  describe(`${name}: links in the feed`, () => describeFeedLinks(rule));
  describe(`${name}: queries of the feed`, () => describeFeedQueries(rule));
  describe(`${name}: readers of the feed`, () => describeFeedAudiences(rule, histories));
  describe(`${name}: jobs`, () => describeJobs(rule));
  describe(`${name}: events and requests seen`, () => describeSeen(rule));
  describe(`${name}: growth by reporter and day`, () => describeGrowth(rule));
  describe(`${name}: activity`, () => describeActivity(rule));
  describe(`${name}: times of the service`, () => describeServiceTimes(rule));
  describe(`${name}: archive`, () => describeArchive(rule));
  describe(`${name}: API keys and audit`, () => describeApiKeys(rule));
  describe(`${name}: maintenance`, () => describeMaintenance(rule));
  describe(`${name}: writing`, () => describeWriting(rule));
  describe(`${name}: writers at the same time`, () => describeConcurrency(rule));
}

/**
 * The contract of metered use.
 * @param open makes an empty store. Called once for each rule.
 */
export function describeUsageContract(name: string, open: () => Promise<OpenedUsage>): void {
  const rule: UsageRule = (rule, check) => {
    test(rule, async () => {
      const opened = await open();
      try {
        await check(opened);
      } finally {
        await opened.dispose();
      }
    });
  };
  describe(`${name}: sums of use`, () => describeUsageSums(rule));
  describe(`${name}: events of use`, () => describeUsageOutbox(rule));
  describe(`${name}: last use`, () => describeLastUse(rule));
  describe(`${name}: refusals`, () => describeRefusals(rule));
}
