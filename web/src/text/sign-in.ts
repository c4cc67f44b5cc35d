// Text of the pages and dialogs for signing in.

export const SIGN_IN = {
  title: 'Sign in',
  login: 'Name',
  password: 'Password',
  submit: 'Sign in',
  passkey: 'Sign in with a passkey',
  external: (name: string) => `Sign in with ${name}`,
  or: 'or',
  wrong: 'This name and password do not belong together, or the account is disabled.',
  wait: (seconds: number) => `Too many attempts. You can try again in ${seconds} s.`,
  passkeyFailed: 'The passkey was not accepted, or the request was cancelled.',
  firstStart:
    'Nobody has an account yet. The terminal of the service shows a one-time link for the first administrator.',
};
