// `npm run audit`: asks the registry for known vulnerabilities of what is installed to run the service. `npm audit` ends
// with the same code for a finding and for a registry that cannot answer; this tells them apart.

import { spawnSync } from 'node:child_process';

/** What this reads of the output of `npm audit --json`. */
interface Output {
  /** Only a report has it. */
  readonly auditReportVersion?: number;
  readonly vulnerabilities?: Readonly<Record<string, Vulnerability>>;
  /** Why there is no report. */
  readonly message?: string;
}

interface Vulnerability {
  readonly severity: string;
  /** The vulnerable versions. */
  readonly range: string;
  /** Advisories, and names of the packages through which this one is vulnerable. */
  readonly via: readonly (string | { readonly title: string; readonly url: string })[];
}

/** The exit codes. */
const NONE_KNOWN = 0;
const FOUND = 1;
const UNKNOWN = 2;

const { stdout, stderr } = spawnSync('npm', ['audit', '--json', '--omit=dev'], {
  encoding: 'utf8',
  // npm is a script there.
  shell: process.platform === 'win32',
});
process.exitCode = judge(outputOf(stdout ?? ''), stderr ?? '');

function outputOf(text: string): Output {
  try {
    return JSON.parse(text) as Output;
  } catch {
    return {};
  }
}

/** Prints what the output says. @returns the exit code. */
function judge({ auditReportVersion, vulnerabilities = {}, message }: Output, errors: string): number {
  if (auditReportVersion === undefined) {
    const cause = message ?? errors.trim().split('\n').at(-1);
    print(`audit: unknown: the registry did not answer: ${cause}`);
    return UNKNOWN;
  }
  const found = Object.entries(vulnerabilities);
  for (const [name, { severity, range, via }] of found) {
    const causes = via.map((cause) => (typeof cause === 'string' ? cause : `${cause.title} (${cause.url})`));
    print(`audit: ${severity}: ${[name, range].join(' ').trim()}: ${causes.join(', ')}`);
  }
  print(`audit: ${found.length} packages with known vulnerabilities`);
  return found.length === 0 ? NONE_KNOWN : FOUND;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
