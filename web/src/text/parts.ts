// Text of the parts that all pages share.

export const PARTS = {
  mixedScripts: (scripts: readonly string[]) => `mixed scripts: ${scripts.join(', ')}`,
  hiddenLetters: (domain: string, scripts: readonly string[]) =>
    scripts.length === 0 ? `reads as ${domain}` : `reads as ${domain} (${scripts.join(', ')})`,
  unseen: 'a character that cannot be seen',
  showAll: (length: number) => `Show all ${length.toLocaleString('en')} characters`,
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'The browser did not allow copying. Select the text and copy it yourself.',
  close: 'Close',
  cancel: 'Cancel',
  retry: 'Try again',
  loading: 'Loading…',
  requestId: (id: string) => `Request ${id}`,
  waitSeconds: (seconds: number) => `You can try again in ${seconds} s.`,
  notScored: 'not scored',
  score: (score: number) => `confidence ${score} of 100`,
  expired: 'expired: not valid any more',
  never: 'never',
  indicators: (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'indicator' : 'indicators'}`,
};
