// Text of the pages of administration.

export const ADMIN = {
  parts: {
    people: 'People',
    audit: 'Audit log',
    jobs: 'Dead letters',
    sources: 'Sources',
    service: 'Service',
  },
  navigation: 'Parts of administration',
};

export const AUDIT = {
  intro: 'Who did what to which resource, newest first. Acts on indicators above your ceiling are not here.',
  actor: 'Actor',
  action: 'Action',
  target: 'Target',
  actorHint: 'login, id of a key, or cli',
  search: 'Search',
  clear: 'All acts',
  columns: { at: 'When (UTC)', actor: 'Actor', action: 'Action', target: 'Target', detail: 'Detail' },
  more: 'Older acts',
  table: 'Acts',
  emptyTitle: 'No such act',
  empty: 'An actor, an action or a target has to be written as it is in the log.',
};

export const JOBS = {
  intro:
    'An indicator whose score or enrichment failed too often is kept here, and its error with it. Mend the cause, then let it try again.',
  waiting: (count: number) =>
    count === 1
      ? '1 indicator waits for the pipeline'
      : `${count.toLocaleString('en')} indicators wait for the pipeline`,
  oldest: 'the oldest since',
  columns: {
    indicator: 'Indicator',
    error: 'Error',
    attempts: 'Attempts',
    queued: 'Queued',
    actions: 'Actions',
  },
  table: 'Dead letters',
  retry: 'Try again',
  retryAll: 'Try all again',
  revived: (count: number) => (count === 1 ? '1 is in the queue again' : `${count} are in the queue again`),
  emptyTitle: 'No dead letter',
  empty: 'Everything that came in was scored and enriched, or still waits for it.',
};

export const SOURCES = {
  intro:
    'Where the indicators that you may see come from. A source belongs to the key that reports it, and has the reliability of that key.',
  columns: { source: 'Source', indicators: 'Indicators', reliability: 'Reliability', key: 'Key' },
  none: '–',
  noKey: 'none: read from files, or the key is of another account',
  table: 'Sources',
  beyond: (count: number) => `${count.toLocaleString('en')} more sources are not shown.`,
  atLeast: 'Counted among the newest indicators only.',
  emptyTitle: 'No source yet',
  empty: 'A source appears with its first event.',
  toStart: 'Send the first event',
};

export const SERVICE = {
  ready: 'The service is ready',
  unready: 'The service is not ready',
  checks: 'Checks',
  columns: { check: 'Check', value: 'Value' },
  datasets: 'Installed data',
  datasetColumns: { name: 'Name', kind: 'Kind', built: 'Built', licence: 'Licence' },
  yes: 'yes',
  no: 'no',
  metrics: 'Metrics for Prometheus are on the admin port, which only this machine reaches: /metrics.',
  settings:
    'Settings that name ranges that are never indicators, markings and limits are in docs/configuration.md.',
};
