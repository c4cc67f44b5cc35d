// Text of the pages and dialogs for signing in.

export const SIGN_IN = {
  title: 'Sign in',
  login: 'Name',
  password: 'Password',
  submit: 'Sign in',
  passkey: 'Sign in with a passkey',
  external: (name: string) => `Sign in with ${name}`,
  or: 'or',
  wrong: 'This name and password do not belong together, or this person may not sign in.',
  wait: (seconds: number) => `Too many attempts. You can try again in ${seconds} s.`,
  passkeyFailed: 'The passkey was not accepted, or the request was cancelled.',
  firstStart:
    'Nobody has signed in yet. The terminal of the service shows a one-time link for the first administrator.',
  noPassword: 'An administrator can make a new one-time link with: npx tis users reset NAME',
  faults: {
    SIGN_IN_REFUSED: 'The identity provider did not sign you in, or you may not use this service.',
    IDENTITY_PROVIDER_UNAVAILABLE: 'The identity provider does not answer. Try again later.',
  } as Readonly<Record<string, string>>,
  asked: 'Another application asks who you are.',
};

export const WELCOME = {
  title: 'Welcome',
  opening: 'Opening your link…',
  choose: 'Choose a password',
  submit: 'Set the password and sign in',
  noToken: 'This address has no link in it',
  noTokenHint: 'Open the whole link that you were given. It ends with # and a long word.',
  used: 'This link does not work any more',
  usedHint: 'A link works once, and for a limited time. Ask an administrator for a new one.',
  toSignIn: 'Sign in another way',
};

export const NEW_PASSWORD = {
  password: 'New password',
  hint: 'At least 12 characters. A few words are easier to remember than signs.',
  repeat: 'The same again',
  different: 'The two passwords differ.',
  fields: {
    currentPassword: 'The current password',
    newPassword: 'The new password',
    password: 'The password',
  } as Readonly<Record<string, string>>,
};
