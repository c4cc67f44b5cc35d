// What a command line typed into a honeypot is for, as behaviour codes.
//
// Patterns over hostile text: each is a plain alternation without nested repetition, so each is linear in the text.

/** Longest part of a command line that is looked at. */
const TEXT_LIMIT = 4_096;

const PURPOSES: readonly (readonly [code: string, pattern: RegExp])[] = [
  ['command:download', /\b(?:wget|curl|tftp|ftpget|lwp-download)\b/],
  ['command:authorize-key', /\bauthorized_keys\b/],
  ['command:schedule', /\bcrontab\b|\/etc\/cron/],
  ['command:identify-system', /\b(?:uname|lscpu|nproc)\b|\/proc\/(?:cpuinfo|meminfo|version)\b/],
  ['command:clear-history', /\bHISTFILE\b|\bHISTSIZE=0|\bhistory -c\b|\.bash_history\b|\/var\/log\b/],
  ['command:mine', /\bxmrig\b|\bminerd\b|\bstratum\+(?:tcp|ssl)\b/],
  ['command:make-executable', /\bchmod (?:-R )?(?:\+x|[0-7]?777|[0-7]?755)\b/],
  ['command:disable-firewall', /\biptables -F\b|\bufw disable\b|\bsystemctl stop firewalld\b/],
];

/** The general code first, then one code for each purpose that shows. */
export function commandBehaviours(input: string): string[] {
  const text = input.slice(0, TEXT_LIMIT);
  const codes = ['command:shell'];
  for (const [code, pattern] of PURPOSES) if (pattern.test(text)) codes.push(code);
  return codes;
}
