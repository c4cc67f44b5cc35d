// The survey before the rules: where the API root is, which collections exist, and which one is read.

import type { Answer } from './answer.ts';
import type { HttpClient } from './http-client.ts';
import { isObject, isText, isTextList, type JsonObject } from './json-value.ts';
import { KeptSample } from './kept-sample.ts';
import { type CollectionPaths, collectionPaths } from './paths.ts';
import type { Sample } from './sample.ts';
import { Untested, Violation } from './violation.ts';

export interface SurveyOptions {
  /** URL of the server, of its discovery or of its API root. */
  readonly url: URL;
  /** Id of the collection to read. By default the first collection that is readable and not empty. */
  readonly collection?: string | undefined;
  /** Id of the collection to write to. By default nothing is written. */
  readonly writable?: string | undefined;
  /** Maximum number of objects to read. */
  readonly limit: number;
}

export interface Survey {
  readonly http: HttpClient;
  readonly options: SurveyOptions;
  readonly discovery: Answer;
  /** Path of the API root, with its slash at the end. */
  readonly root: string;
  readonly apiRoot: Answer;
  readonly collections: Answer;
  /** The collections with a usable id. */
  readonly listed: readonly JsonObject[];
  /** Id of the collection to read. Undefined if there is none. */
  readonly collection: string | undefined;
  /** @throws Untested if no collection can be read. */
  paths(): CollectionPaths;
  /**
   * Objects and manifest of that collection, up to the limit. They are read once and kept.
   * @throws Untested if they cannot be read. The rules about reading say why.
   */
  sample(): Promise<Sample>;
  /** Whether the sample, if there is one, still equals the collection. If not, the next call reads a new sample. */
  isUnchanged(): Promise<boolean>;
}

/** Nothing can be tested: the server refuses the credential or names no API root. */
export class NotTestable extends Error {}

/** Number of collections to search for one that is not empty. */
const MOST_TRIED = 10;

/** @throws NotTestable, NoAnswer, ToldToWait. */
export async function takeSurvey(http: HttpClient, options: SurveyOptions): Promise<Survey> {
  const given = withSlash(options.url.pathname);
  const isRoot = given !== '/' && !given.endsWith('/taxii2/');
  const discovery = await http.send(isRoot || given === '/' ? '/taxii2/' : given);
  const root = isRoot ? given : rootOf(discovery, options.url);
  const apiRoot = await http.send(root);
  const collections = await http.send(`${root}collections/`);
  if (collections.status === 401 || collections.status === 403) {
    const problem =
      Object.keys(http.credential).length > 0
        ? 'the credential is not accepted'
        : 'the server asks for a credential';
    throw new NotTestable(`${problem}: ${collections.status} at ${root}collections/`);
  }
  if (isRoot && collections.status === 404)
    throw new NotTestable(`the URL is not that of an API root: 404 at ${root}collections/`);
  const listed = collectionsOf(collections);
  await checkNamed(http, root, listed, options);
  const collection = options.collection ?? (await firstWithObjects(http, root, listed));

  const sample = new KeptSample(http, options.limit);
  const paths = () => {
    if (collection === undefined) throw new Untested('no collection can be read');
    return collectionPaths(root, collection);
  };
  return {
    http,
    options,
    discovery,
    root,
    apiRoot,
    collections,
    listed,
    collection,
    paths,
    sample: async () => sample.at(paths()),
    isUnchanged: async () => sample.isUnchanged(paths),
  };
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}

/** The path of the default API root. For an absolute URL only its path counts, on the origin under test. */
function rootOf(discovery: Answer, url: URL): string {
  try {
    const { default: preferred, api_roots: roots } = discovery.object();
    const root = isText(preferred) ? preferred : isTextList(roots) ? roots[0] : undefined;
    if (root !== undefined && URL.canParse(root, url.href)) return withSlash(new URL(root, url).pathname);
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    throw new NotTestable(`discovery cannot be read (${error.message}): give the URL of the API root`);
  }
  throw new NotTestable('discovery names no API root: give the URL of the API root');
}

function collectionsOf(answer: Answer): readonly JsonObject[] {
  try {
    const { collections } = answer.object();
    return Array.isArray(collections) ? collections.filter(isObject).filter(({ id }) => isText(id)) : [];
  } catch {
    // The rules about collections report the fault.
    return [];
  }
}

/** @throws NotTestable for a missing or unreadable collection, which is not a fault of the server. */
async function checkNamed(
  http: HttpClient,
  root: string,
  listed: readonly JsonObject[],
  { collection, writable }: SurveyOptions,
): Promise<void> {
  for (const [named, right, verb] of [
    [collection, 'can_read', 'read'],
    [writable, 'can_write', 'written to'],
  ] as const) {
    if (named === undefined) continue;
    const found = listed.find(({ id, alias }) => id === named || alias === named);
    if (found?.[right] === false)
      throw new NotTestable(`the collection ${named} cannot be ${verb} with this credential`);
    const { self } = collectionPaths(root, named);
    if (found === undefined && (await http.send(self)).status === 404)
      throw new NotTestable(`there is no such collection: 404 at ${self}`);
  }
}

async function firstWithObjects(
  http: HttpClient,
  root: string,
  listed: readonly JsonObject[],
): Promise<string | undefined> {
  const readable = listed.filter(({ can_read }) => can_read !== false).map(({ id }) => String(id));
  for (const id of readable.slice(0, MOST_TRIED)) {
    const answer = await http.send(`${collectionPaths(root, id).objects}?limit=1`);
    if (answer.status === 200 && answer.body.includes('"id"')) return id;
  }
  return readable[0];
}
