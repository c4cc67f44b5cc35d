// Which passwords are refused: short ones, the own login, and what everybody tries first. No rule asks for kinds of
// characters, since such rules make people predictable.

const SHORTEST = 12;
/** Far longer than a pass phrase. */
const LONGEST = 512;
const FEWEST_DIFFERENT = 5;

/** What is left of the commonest passwords without the digits and signs that people put around them. */
const COMMONEST: ReadonlySet<string> = new Set(
  `password passwordpassword passw0rd passphrase qwerty qwertyuiop qwertyqwerty asdfgh asdfghjkl zxcvbn zxcvbnm azerty
  qwertz admin adminadmin administrator root rootroot guest letmein welcome changeme changeit default secret mysecret login
  iloveyou football baseball superman batman dragon monkey princess sunshine master shadow trustno summer winter spring
  autumn company correcthorsebatterystaple abcdefghijkl abcdefghijklm abcdefghijklmnop threatindicator
  threatindicatorservice`.split(/\s+/),
);

/** Rows of keys and of numbers, in which a password may be one stretch. */
const ROWS = [
  '01234567890123456789',
  '09876543210987654321',
  '1q2w3e4r5t6y7u8i9o0p',
  '1qaz2wsx3edc4rfv5tgb6yhn',
];

/** Why a password is refused; undefined for a good one. */
export function passwordFault(password: string, login: string): string | undefined {
  const text = password.normalize('NFKC').toLowerCase();
  const characters = [...text];
  if (characters.length < SHORTEST) return `must have ${SHORTEST} characters at least`;
  if (password.length > LONGEST) return `must have ${LONGEST} characters at most`;
  if (new Set(characters).size < FEWEST_DIFFERENT) return 'has too few different characters';
  const core = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const [user = ''] = login.split('@');
  if (text === login || core === login || core === user) return 'must not be the login';
  const isCommon =
    COMMONEST.has(core) ||
    COMMONEST.has(core.replace(/[^\p{L}]/gu, '')) ||
    ROWS.some((row) => row.includes(text));
  return isCommon ? 'is one of the passwords that are tried first' : undefined;
}
