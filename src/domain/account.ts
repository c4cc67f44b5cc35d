// Accounts own keys and people, and usage is counted by account. An account needs no creation: it exists once it is named.

export const DEFAULT_ACCOUNT = 'default';

/** 1 to 100 printable characters, without white space at the ends. */
export function isAccount(text: string): boolean {
  return /^\S(?:.{0,98}\S)?$/u.test(text) && !/\p{C}/u.test(text);
}
