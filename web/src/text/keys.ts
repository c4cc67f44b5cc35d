// Text of the page of API keys.

import type { Scope } from '../api/session.ts';

const DAY = 86_400;

export const KEYS = {
  create: 'New key',
  table: 'API keys of the account',
  columns: {
    name: 'Name',
    key: 'Key',
    rights: 'Rights',
    ceiling: 'Sees up to',
    created: 'Made',
    expires: 'Ends',
    used: 'Last used',
    calls: 'Units in 30 days',
    actions: 'Actions',
  },
  sensor: 'sensor',
  sensorRights: 'sends events, reads nothing',
  noScopes: 'reads the feed and single indicators',
  noEnd: 'no end',
  revoked: 'revoked',
  ended: 'ended',
  replaced: 'replaced',
  ranges: (count: number) => (count === 1 ? 'from 1 range' : `from ${count} ranges`),
  showEnded: (count: number) => `Show ${count} revoked and ended`,
  rotate: 'Rotate',
  revoke: 'Revoke',
  setup: 'Set up',
  emptyTitle: 'No key yet',
  empty:
    'A key lets a program search, read the feed or send events. Give each program a key of its own: then you see what it does, and can revoke it alone.',
  endingSoon: (count: number) =>
    count === 1 ? 'A key ends within seven days:' : `${count} keys end within seven days:`,
  endingHint: 'Rotate it, and give the program the new key while the old one still works.',
};

export const NEW_KEY = {
  title: 'New key',
  name: 'Name',
  nameHint:
    'The program and where it runs, such as “sentinel prod”. Readers see it as the source of what it reports.',
  kind: 'What is it for?',
  kinds: {
    client: 'A program that reads: search, the feed, a SIEM',
    sensor: 'A sensor that sends events and reads nothing',
  },
  scopes: 'Rights',
  scopesHint: 'Every key reads the TAXII feed and single indicators, without any right of these.',
  ceiling: 'Sees and submits up to',
  expires: 'Ends after',
  expiries: [
    { text: '7 days', seconds: 7 * DAY },
    { text: '30 days', seconds: 30 * DAY },
    { text: '90 days', seconds: 90 * DAY },
    { text: '1 year', seconds: 365 * DAY },
    { text: 'never', seconds: 0 },
  ],
  ranges: 'Only from these addresses',
  rangesHint: 'CIDR ranges, one a line. Empty: from anywhere.',
  sources: 'May speak for these sources',
  sourcesHint: 'For programs that relay reports of others: one name a line. Empty: for itself only.',
  submit: 'Make the key',
};

export const SCOPE_WORDS: Readonly<Record<Scope, string>> = {
  'indicators:read': 'search, look up, read evidence and links',
  'indicators:verify': 'confirm and dispute (people only)',
  'events:write': 'send sensor events',
  'feed:write': 'report STIX objects over TAXII',
  'keys:manage': 'make and revoke keys',
  'usage:read': 'read the use of the account',
  admin: 'everything',
};

export const SHOWN_KEY = {
  title: 'Your new key',
  once: 'This is the only time that it is shown. The service keeps a hash of it and can not show it again.',
  label: 'the key',
  setup: 'Use it in',
  stored: 'I have stored it',
};

export const ROTATE = {
  title: 'Rotate the key',
  explain:
    'A new key takes the place of the old one, with the same rights. Both work until the old one ends.',
  overlap: 'The old key works for another',
  overlaps: [
    { text: '24 hours', seconds: DAY },
    { text: '1 hour', seconds: 3_600 },
    { text: '7 days', seconds: 7 * DAY },
    { text: 'no time: it ends now', seconds: 0 },
  ],
  submit: 'Make the new key',
};

export const REVOKE = {
  title: 'Revoke the key',
  explain: 'It stops working within a second, everywhere, and can not be brought back.',
  lastUsed: 'It was last used',
  neverUsed: 'It was never used.',
  alone: 'No other key ends with it.',
  others: (count: number) =>
    count === 1
      ? 'One more key ends with it, because it was made with it:'
      : `${count} more keys end with it, because they were made with it:`,
  submit: 'Revoke it',
  done: (name: string) => `${name} is revoked`,
};
