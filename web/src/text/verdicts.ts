// Verdicts in words.

export const VERDICT_WORDS = {
  confirmed: 'Confirmed by an analyst',
  probable: 'Probably hostile',
  possible: 'Possibly hostile',
  weak: 'Weak evidence',
  unknown: 'Not scored yet',
  disputed: 'Disputed',
};
