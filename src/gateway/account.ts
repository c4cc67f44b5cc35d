// Accounts: whom keys belong to and usage is counted for. They exist by being named.

export const DEFAULT_ACCOUNT = 'default';

/** 1 to 100 printable characters, neither beginning nor ending in white space. */
export function isAccount(text: string): boolean {
  return /^\S(?:.{0,98}\S)?$/u.test(text) && !/\p{C}/u.test(text);
}
