// Names of the pages.

export const PRODUCT = 'Threat indicators';

export const TITLES = {
  search: 'Search',
  queue: 'Queue',
  live: 'Live',
  feed: 'Feed',
  keys: 'Keys',
  usage: 'Usage',
  admin: 'Administration',
  indicator: 'Indicator',
  start: 'First steps',
  account: 'Your account',
  signIn: 'Sign in',
  welcome: 'Welcome',
  parts: 'Parts',
};
