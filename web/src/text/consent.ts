// Text of the question whether another application may act for a person.

export const CONSENT = {
  title: 'Let this application in?',
  asks: 'asks to act in the name of',
  onlyWho: 'It learns who you are, and nothing more.',
  returnsTo: 'You then go back to',
  agree: 'Allow',
  refuse: 'Refuse',
  ended: 'This sign-in has ended. Go back to the application and start again.',
  loading: 'Loading…',
};

export const SCOPE_WORDS: Readonly<Record<string, string>> = {
  'indicators:read': 'read indicators',
  'indicators:verify': 'confirm indicators',
  'events:write': 'send sensor events',
  'keys:manage': 'manage API keys',
  'usage:read': 'read the usage of the account',
  'feed:write': 'report through the feed',
  admin: 'do everything an administrator may',
};
