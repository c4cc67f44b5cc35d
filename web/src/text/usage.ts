// Text of the page of use.

export const USAGE = {
  intro:
    'A unit is a page of a search that was answered, or a value that was looked up. These are the numbers of /v1/usage and of the bill.',
  range: 'Days',
  ranges: [7, 30, 90, 365] as const,
  daysAgo: (days: number) => (days === 365 ? '1 year' : `${days} days`),
  csv: 'CSV',
  totals: {
    units: 'Units',
    searches: 'Search pages',
    returned: 'Indicators returned',
    lookups: 'Values looked up',
    refused: 'Requests over a limit',
  },
  chart: 'Units a day by credential',
  refusedMark: 'requests over a limit',
  byCredential: 'By credential',
  byDay: 'By day',
  columns: {
    day: 'Day (UTC)',
    credential: 'Credential',
    units: 'Units',
    searches: 'Search pages',
    returned: 'Indicators',
    lookups: 'Values looked up',
    refused: 'Over a limit',
    share: 'Share',
  },
  others: (count: number) => `${count} others`,
  person: '(person)',
  incomplete: 'The account has more credentials than are shown here. The sums are of all of them.',
  emptyTitle: 'No use in these days',
  empty: 'Search here, or with a key of a program: the first page appears within a second.',
  toSearch: 'Search',
  toKeys: 'Make a key',
  csvName: (account: string, day: string) => `use-${account.replace(/[^\w-]/g, '_')}-${day}.csv`,
};
