// Text about people and their roles.

import type { Role } from '../api/session.ts';

export const ROLE_WORDS: Readonly<Record<Role, { readonly name: string; readonly may: string }>> = {
  reader: { name: 'Reader', may: 'searches, and sees the use of the account' },
  analyst: { name: 'Analyst', may: 'also confirms, disputes and withdraws indicators' },
  'key-manager': { name: 'Key manager', may: 'also makes and revokes keys, and sends events' },
  administrator: { name: 'Administrator', may: 'everything, people included' },
};

export const PEOPLE = {
  invite: 'Invite somebody',
  table: 'People of the account',
  columns: {
    login: 'Login',
    name: 'Name',
    roles: 'Roles',
    ceiling: 'Sees up to',
    signedIn: 'Last signed in',
    actions: 'Actions',
  },
  you: 'you',
  disabled: 'disabled',
  external: 'by the identity provider',
  change: 'Change',
  reset: 'Reset password',
  disable: 'Disable',
  enable: 'Enable',
  disabledDone: (login: string) => `${login} is disabled; open sessions have ended`,
  enabledDone: (login: string) => `${login} may sign in again`,
  changed: (login: string) => `${login} is changed`,
};

export const INVITE = {
  title: 'Invite somebody',
  login: 'Login',
  loginHint: 'Letters, digits and . _ @ + -, such as the e-mail address. The audit log names people by it.',
  name: 'Name',
  submit: 'Make the invitation',
};

export const CHANGE = { title: (login: string) => `Rights of ${login}`, submit: 'Change' };

export const RIGHTS = { roles: 'Roles', ceiling: 'Sees and submits up to' };

export const LINK = {
  title: 'A link for one use',
  invitation: (login: string) =>
    `Send this link to ${login}. It lets them choose a password and signs them in.`,
  reset: (login: string) =>
    `Send this link to ${login}. It lets them choose a new password. The old one works until then.`,
  once: 'It works once and is not shown again. Whoever has it can use it: send it in a way that you trust.',
  ends: 'It ends',
  label: 'the link',
  done: 'I have sent it',
};

export const RESET = {
  title: (login: string) => `Reset the password of ${login}?`,
  explain: 'You get a link for one use, which lets them choose a new password.',
  submit: 'Make the link',
};
