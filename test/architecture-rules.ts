// The rules of the house (docs/architecture.md), as a function over a source tree. The test beside it runs them on this
// project, and on small trees with one fault each, so that no rule can go blind unnoticed.
//
// Sources are read as text, not parsed: Biome holds their form (imports at the start of a line), and where reading text
// errs, it errs by a false alarm.

import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path/posix';

export const RULES = [
  'arrow',
  'package',
  'cycle',
  'test-import',
  'computed-import',
  'default-export',
  'barrel',
  'name',
  'opening',
  'length',
  'decorator',
  'erasable',
  'suppression',
  'environment',
  'output',
  'sql',
  'driver',
  'thread',
  'lazy-command',
  'shell',
  'suffix',
  'file-hook',
  'pure',
  'floor',
] as const;
export type Rule = (typeof RULES)[number];

export interface Fault {
  readonly file: string;
  readonly line: number;
  readonly rule: Rule;
  readonly message: string;
}

interface Import {
  readonly line: number;
  /** Only types are imported: nothing is loaded. */
  readonly typesOnly: boolean;
  /** Loaded when the line runs, not with the file. */
  readonly dynamic: boolean;
  /** As written. */
  readonly specifier: string;
  /** Path of the imported file below the root; absent for packages. */
  readonly target?: string;
}

export interface Source {
  readonly path: string;
  readonly layer: string;
  readonly text: string;
  /** The text with its comments blanked, line breaks kept. */
  readonly code: string;
  readonly imports: readonly Import[];
}

const SIBLINGS = ['pipeline', 'sensors', 'search', 'feed', 'gateway', 'identity', 'metering', 'telemetry'];
/** What siblings stand on: the contract as JSON, STIX as values, the store, the domain. */
const BASE = ['domain', 'store', 'stix', 'protojson'];
const BELOW_SERVICE = [...BASE, ...SIBLINGS, 'api', 'root'];

/** What each layer may import besides itself. `root` is the files directly in src/, `outside` all that is not source. */
const ARROWS = new Map<string, readonly string[]>([
  ['domain', []],
  ['store', ['domain']],
  ['gen', []],
  ['protojson', ['domain', 'gen']],
  ['stix', ['domain', 'store']],
  ...SIBLINGS.map((name): [string, string[]] => [name, BASE]),
  ['api', [...BASE, ...SIBLINGS]],
  ['service', BELOW_SERVICE],
  ['cli', [...BELOW_SERVICE, 'service']],
  ['root', [...BELOW_SERVICE, 'service', 'cli', 'outside']],
  ['bin', [...BELOW_SERVICE, 'service', 'cli']],
]);

/** Where a package may be used. One that is not here is new: it wants a reason in docs/decisions first. */
const PACKAGES = new Map<string, readonly string[]>([
  ['@bufbuild/protobuf', ['protojson', 'api']],
  ['commander', ['cli', 'root']],
  ['fastify', ['api']],
  ['jose', ['gateway', 'cli']],
  ['oidc-provider', ['identity']],
  ['openid-client', ['identity']],
  ['lru-cache', ['pipeline', 'gateway', 'stix']],
  ['mmdb-lib', ['pipeline']],
  ['node:sqlite', ['store']],
  ['pino', ['telemetry']],
  ['tldts', ['pipeline']],
  ['@simplewebauthn/server', ['identity']],
  ['zod', ['pipeline', 'protojson', 'gateway']],
]);

/** Calculation only: no files, no network, no clock. */
const DOMAIN_MODULES = ['node:crypto', 'node:url'];

const BANNED_NAMES = /^(?:index|(?:.*-)?(?:utils?|helpers?|commons?|managers?|misc))$/;
const LONGEST_FILE = 400;

interface TextRule {
  readonly rule: Rule;
  readonly pattern: RegExp;
  readonly message: string;
  readonly applies: (source: Source) => boolean;
}

const everywhere = () => true;
const inDomain = ({ layer }: Source) => layer === 'domain';

/** They escape control characters. */
const MAY_WRITE: ReadonlySet<string> = new Set(['src/cli/terminal.ts', 'src/telemetry/log.ts']);

const TEXT_RULES: readonly TextRule[] = [
  {
    rule: 'default-export',
    pattern: /^[ \t]*export\s+(?:default\b|\{[^}]*\bas\s+default\b)/gm,
    message: 'exports have names',
    applies: everywhere,
  },
  {
    rule: 'barrel',
    pattern: /^[ \t]*export\s+(?:type\s+)?\*/gm,
    message: 'import a name from the file that defines it',
    applies: everywhere,
  },
  { rule: 'decorator', pattern: /^[ \t]*@[A-Za-z_$]/gm, message: 'no decorators', applies: everywhere },
  {
    rule: 'erasable',
    pattern:
      /^[ \t]*(?:export\s+)?(?:declare\s+)?(?:const\s+)?(?:enum\s+\w|(?:namespace|module)\s+[\w.]+\s*\{)/gm,
    message: 'no enum and no namespace: a list of names `as const` is the vocabulary',
    applies: everywhere,
  },
  {
    rule: 'computed-import',
    pattern: /\bimport\s*\(\s*(?!\s|(['"`])[^'"`$]*\1\s*[,)])/g,
    message: 'a dynamic import names its file as a plain string, so that it can be checked',
    applies: everywhere,
  },
  {
    rule: 'environment',
    pattern: /\bprocess\s*(?:\?\.|\.)\s*env\b|\bprocess\s*\[|['"]node:process['"]/g,
    message: 'only src/config.ts reads the environment',
    applies: ({ path }) => path !== 'src/config.ts',
  },
  {
    rule: 'output',
    pattern: /\bprocess\s*\.\s*std(?:out|err)\b|\bconsole\s*\./g,
    message: 'only src/cli/terminal.ts and src/telemetry/log.ts write to standard output and standard error',
    applies: ({ path }) => path.startsWith('src/') && !MAY_WRITE.has(path),
  },
  {
    rule: 'sql',
    pattern:
      /['"`]\s*(?:select\s[^'"`;]*?\sfrom\s|insert\s+(?:or\s+\w+\s+)?into\s|update\s+\S+\s+set\s|delete\s+from\s|(?:create|drop|alter)\s+(?:virtual\s+)?(?:table|index)\s|pragma\s)/gi,
    message: 'only src/store knows SQL',
    applies: ({ layer }) => layer !== 'store',
  },
  {
    rule: 'pure',
    pattern:
      /\bDate\s*\.\s*now\b|\bnew\s+Date\b(?!\s*\(\s*[^)\s])|(?<!\bnew\s+)\bDate\s*\(|\bMath\s*\.\s*random\b|\bperformance\s*\.|\brandom(?:UUID|Bytes|Int)\b|\b(?:setTimeout|setInterval|setImmediate|fetch)\s*\(/g,
    message: 'the domain has no clock, no chance and no effects: the caller hands them in',
    applies: inDomain,
  },
];

/** @param least fewer sources than this are a fault of their own: a check that sees nothing passes everything. */
export function findFaults(root: string, least: number): Fault[] {
  const sources = readSources(root);
  const production = sources.filter(({ path }) => !isTest(path));
  const written = production.filter(({ layer }) => layer !== 'gen');
  const faults: Fault[] = [
    ...sources.flatMap(checkImports),
    ...written.flatMap(checkForm),
    ...written.flatMap(checkText),
    ...findCycles(production),
    ...sources.flatMap(checkDriver),
    ...checkThreads(production),
    ...production.flatMap(checkCommands),
    ...production.flatMap(checkShell),
    ...sources.flatMap(checkSuffix),
    ...sources.flatMap(checkHooks),
  ];
  if (sources.length < least) {
    const message = `saw ${sources.length} files where at least ${least} are known to be`;
    faults.push({ file: '.', line: 1, rule: 'floor', message });
  }
  return faults;
}

/** Unit tests, contract suites (`src/store/contract`) and what only they use (`x.test-support.ts`). */
export function isTest(path: string): boolean {
  return /\.test(?:-[a-z]+)?\.ts$/.test(path) || path.startsWith('src/store/contract/');
}

/** Every source below src/ and bin/, with its imports. */
export function readSources(root: string): Source[] {
  return ['src', 'bin']
    .flatMap((folder) => {
      const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
      return names.filter((name) => /\.[cm]?[jt]sx?$/.test(name)).map((name) => `${folder}/${name}`);
    })
    .sort()
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      const code = blankComments(text);
      return { path, layer: layerOf(path), text, code, imports: importsOf(path, code) };
    });
}

export function layerOf(path: string): string {
  const [top = '', folder = '', ...rest] = path.split('/');
  if (top === 'bin') return 'bin';
  if (top !== 'src') return 'outside';
  return rest.length === 0 ? 'root' : folder;
}

/** Comments on lines of their own, and behind code; what stands between code on one line is left alone. */
function blankComments(text: string): string {
  return text.replace(/^[ \t]*\/\*[\s\S]*?\*\/|(?:^|[ \t])\/\/ .*$|^[ \t]*\/\/.*$/gm, (comment) =>
    comment.replace(/[^\n]/g, ' '),
  );
}

/** Static, side-effect and dynamic imports, re-exports, and imports in types (`let a: import('./b.ts').B`). */
function importsOf(path: string, code: string): Import[] {
  const pattern =
    /^[ \t]*(?:import|export)\b(\s+type\b)?[^'"`;()=]*?\bfrom\s*['"]([^'"]+)['"]|^[ \t]*import\s*['"]([^'"]+)['"]|(:\s*)?\bimport\s*\(\s*['"`]([^'"`]+)['"`]/gm;
  return [...code.matchAll(pattern)].map((match) => {
    const [, type, from, effect, inType, called] = match;
    const specifier = from ?? effect ?? called ?? '';
    const found = {
      line: lineAt(code, match.index),
      typesOnly: type !== undefined || inType !== undefined,
      dynamic: called !== undefined,
      specifier,
    };
    return specifier.startsWith('.') ? { ...found, target: join(dirname(path), specifier) } : found;
  });
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}

/** The arrows hold for tests too: a test that reaches sideways tells of a seam that is missing. */
function checkImports({ path, layer, imports }: Source): Fault[] {
  const allowed = ARROWS.get(layer);
  if (allowed === undefined) {
    return [{ file: path, line: 1, rule: 'arrow', message: `src/${layer} has no place among the layers` }];
  }
  const test = isTest(path);
  const fault = (line: number, rule: Rule, message: string): Fault[] => [{ file: path, line, rule, message }];
  return imports.flatMap(({ line, specifier, target }) => {
    if (target === undefined)
      return test ? [] : checkPackage(specifier, layer).flatMap((m) => fault(line, 'package', m));
    const to = layerOf(target);
    if (to !== layer && !allowed.includes(to))
      return fault(line, 'arrow', `${layer} must not import ${to} (${specifier})`);
    if (!test && isTest(target)) return fault(line, 'test-import', `only tests import tests (${specifier})`);
    return [];
  });
}

function checkPackage(specifier: string, layer: string): string[] {
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  const places = PACKAGES.get(name);
  if (layer === 'gen') return [];
  if (layer === 'domain' && !DOMAIN_MODULES.includes(specifier))
    return [`the domain must not use ${specifier}`];
  if (places !== undefined && !places.includes(layer))
    return [`${name} belongs to ${places.join(' and ')} only`];
  if (places === undefined && !specifier.startsWith('node:'))
    return [`${name} has no place among the packages`];
  return [];
}

function checkForm({ path, text }: Source): Fault[] {
  const faults: Fault[] = [];
  const fault = (line: number, rule: Rule, message: string) =>
    faults.push({ file: path, line, rule, message });
  const names = [...dirname(path).split('/'), basename(path).replace(/\.\w+$/, '')];
  for (const name of names) {
    if (BANNED_NAMES.test(name)) fault(1, 'name', `\`${name}\` says nothing: name the idea`);
    else if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) fault(1, 'name', `\`${name}\` is not in kebab-case`);
  }
  const opening = text.startsWith('#!') ? text.slice(text.indexOf('\n') + 1) : text;
  if (!/^\/[/*]/.test(opening)) fault(1, 'opening', 'the first line says what lives here');
  const lines = text.trimEnd().split('\n').length;
  if (lines > LONGEST_FILE)
    fault(lines, 'length', `${lines} lines, more than ${LONGEST_FILE}: more than one idea`);
  // Looked for in the comments too: that is where they live.
  for (const match of text.matchAll(/biome-ignore|@ts-(?:ignore|expect-error|nocheck)/g)) {
    fault(lineAt(text, match.index), 'suppression', `no \`${match[0]}\`: mend the cause`);
  }
  return faults;
}

function checkText(source: Source): Fault[] {
  return TEXT_RULES.filter(({ applies }) => applies(source)).flatMap(({ rule, pattern, message }) =>
    [...source.code.matchAll(pattern)].map((match): Fault => {
      // A match may begin with the white space before the culprit.
      const start = match.index + match[0].length - match[0].trimStart().length;
      return { file: source.path, line: lineAt(source.code, start), rule, message };
    }),
  );
}

const DRIVERS = /^src\/store\/(?:sqlite|postgres)\//;
const DRIVER_CHOICE = 'src/service/stores.ts';

/** A driver is behind the interfaces of the store: one file chooses it, and no test outside the store opens one itself. */
function checkDriver({ path, layer, imports }: Source): Fault[] {
  if (layer === 'store' || path === DRIVER_CHOICE) return [];
  return imports
    .filter(
      ({ target, specifier }) => DRIVERS.test(target ?? '') || (isTest(path) && specifier === 'node:sqlite'),
    )
    .map(({ line, specifier }) => ({
      file: path,
      line,
      rule: 'driver',
      message: `only ${DRIVER_CHOICE} names a store driver (${specifier})`,
    }));
}

const THREAD_ENTRY = /^src\/service\/[a-z-]+-thread\.ts$/;

/** Answers HTTP, as the main thread does. */
const HTTP_THREAD = 'src/service/http-thread.ts';

/** A thread that writes has no use for HTTP: whatever its entry file can load leaves api/ and Fastify out. */
function checkThreads(sources: readonly Source[]): Fault[] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const reached = new Set<Source>();
  const visit = (source: Source) => {
    if (reached.has(source)) return;
    reached.add(source);
    for (const { target, typesOnly } of source.imports) {
      const next = typesOnly || target === undefined ? undefined : byPath.get(target);
      // One fault each: what lies behind the first file of api/ is not told again.
      if (next !== undefined && next.layer !== 'api') visit(next);
    }
  };
  for (const source of sources)
    if (THREAD_ENTRY.test(source.path) && source.path !== HTTP_THREAD) visit(source);
  return [...reached].flatMap(({ path, imports }) =>
    imports
      .filter(
        ({ target = '', specifier, typesOnly }) =>
          !typesOnly && (layerOf(target) === 'api' || specifier === 'fastify'),
      )
      .map(({ line, specifier }): Fault => {
        return { file: path, line, rule: 'thread', message: `a thread would load ${specifier}` };
      }),
  );
}

const COMMAND_TABLE = 'src/cli/commands.ts';

/** A command is loaded when it is called: neither the entry nor the table of commands loads one by itself. */
function checkCommands({ path, imports }: Source): Fault[] {
  if (path !== COMMAND_TABLE && path !== 'src/main.ts') return [];
  const few = [
    COMMAND_TABLE,
    'src/cli/terminal.ts',
    'src/config.ts',
    'src/variables.ts',
    'src/domain/errors.ts',
  ];
  return imports
    .filter(
      ({ target, typesOnly, dynamic }) =>
        target?.startsWith('src/') && !typesOnly && !dynamic && !few.includes(target),
    )
    .map(({ line, specifier }) => ({
      file: path,
      line,
      rule: 'lazy-command',
      message: `every command would load ${specifier}`,
    }));
}

/** The HTTP shell knows no interface that it carries: REST and TAXII register themselves with it. */
function checkShell({ path, imports }: Source): Fault[] {
  if (!path.startsWith('src/api/http/')) return [];
  return imports
    .filter(({ target = '' }) => target.startsWith('src/api/') && !target.startsWith('src/api/http/'))
    .map(({ line, specifier }) => ({
      file: path,
      line,
      rule: 'shell',
      message: `api/http carries interfaces and knows none (${specifier})`,
    }));
}

/** Two suffixes, so that everybody finds the tests and what only they use. */
function checkSuffix({ path }: Source): Fault[] {
  if (!/\.test\b/.test(path) || /\.test(?:-support)?\.ts$/.test(path)) return [];
  const message = 'tests are named x.test.ts, and what only tests use x.test-support.ts';
  return [{ file: path, line: 1, rule: 'suffix', message }];
}

/** `npm test` runs all unit files in one process: what a file says of each test there holds for the tests of all files. */
function checkHooks({ path, code }: Source): Fault[] {
  if (!isTest(path)) return [];
  return [...code.matchAll(/^(?:before|after)Each\b/gm)].map((match): Fault => {
    const message = `${match[0]} stands in a describe: outside, it runs for every test of all files`;
    return { file: path, line: lineAt(code, match.index), rule: 'file-hook', message };
  });
}

/** Depth first; each import that closes a circle is a fault, and its message shows the way round. */
function findCycles(sources: readonly Source[]): Fault[] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const done = new Set<string>();
  const trail: string[] = [];
  const faults: Fault[] = [];
  const visit = (source: Source) => {
    trail.push(source.path);
    for (const { target, line } of source.imports) {
      const next = target === undefined ? undefined : byPath.get(target);
      if (next === undefined || done.has(next.path)) continue;
      const start = trail.indexOf(next.path);
      if (start === -1) {
        visit(next);
      } else {
        const circle = [...trail.slice(start), next.path].map((path) => basename(path)).join(' -> ');
        faults.push({ file: source.path, line, rule: 'cycle', message: `imports in a circle: ${circle}` });
      }
    }
    trail.pop();
    done.add(source.path);
  };
  for (const source of sources) if (!done.has(source.path)) visit(source);
  return faults;
}
