// A search for a value finds its indicator, and nothing in which the value does not occur as a whole.
//
// `npx node src/search/exact-text.test.ts --values 400000` tries as many of the real values that lie beside the checkout.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { MATCH_ALL } from '../domain/filter.ts';
import { type Observable, recognise } from '../domain/observable/observable.ts';
import { aSummary, documentsIn, NOW, save } from '../store/contract/fixtures.ts';
import { openTemporaryStore } from '../store/contract/temporary-store.test-support.ts';
import { createSearch } from './search.ts';

const SEED = 20_260_314;
const { values: flags } = parseArgs({
  options: { values: { type: 'string', default: '400' } },
  strict: false,
});
const DATA = fileURLToPath(new URL('../../../shared/data', import.meta.url));
const LONGEST_QUERY = 1_000;
/** Some are no values. */
const WORDS_FOR_A_VALUE = 20;

/** Asserts the property for each of the values. @returns the number of answers that hold more than the value itself. */
async function checkEach(values: readonly Observable[]): Promise<number> {
  const opened = await openTemporaryStore(() => NOW);
  try {
    // Everybody's summary has pieces of an address.
    const enrichment = aSummary('Address 1 of 203 in 0 113 com net org.');
    for (let start = 0; start < values.length; start += 1_000) {
      const some = values.slice(start, start + 1_000);
      await save(
        opened.stores,
        some.map((one) => ({ ...one, enrichment })),
      );
    }
    const holders = Map.groupBy(
      values.flatMap(({ value }) => partsOf(value).map((part) => ({ part, value }))),
      ({ part }) => part,
    );
    const search = createSearch(opened.stores.indicators, opened.stores.installation.secret);
    let answersWithMore = 0;
    for (const { value } of values) {
      if (value.length > LONGEST_QUERY) continue;
      const found = new Set<string>();
      let pageToken = '';
      do {
        const page = await search({
          filter: MATCH_ALL,
          query: value,
          pageSize: 1_000,
          pageToken,
          ceiling: 'RED',
        });
        for (const document of documentsIn(page.blocks)) found.add(JSON.parse(document).value);
        pageToken = page.nextPageToken;
      } while (pageToken !== '');
      assert.ok(found.has(value), `${value} is not found`);
      for (const holder of holders.get(value.toLowerCase()) ?? [])
        assert.ok(found.has(holder.value), `${value} is in ${holder.value}`);
      for (const other of found) assert.ok(isIn(value, other), `${value} is not in ${other}`);
      if (found.size > 1) answersWithMore += 1;
    }
    return answersWithMore;
  } finally {
    await opened.dispose();
  }
}

/** The host, and the parts of the path, in lower case. */
function partsOf(value: string): readonly string[] {
  const at = value.lastIndexOf('@');
  if (!value.includes('://')) return at < 0 ? [] : [value.slice(at + 1).toLowerCase()];
  const { hostname, pathname } = new URL(value);
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  const names = pathname.split('/').filter((part) => /^[\w-]+\.[\w.-]+$/.test(part));
  return [host, ...names].map((part) => part.toLowerCase());
}

/** Whether nothing that a name or address consists of stands before or behind it. */
function isIn(value: string, other: string): boolean {
  const [part, whole] = [value.toLowerCase(), other.toLowerCase()];
  if (part === whole) return true;
  return new RegExp(
    `(?:^|[^a-z0-9._-]|%[0-9a-f]{2})${part.replace(/[^a-z0-9]/g, '\\$&')}(?:$|[^a-z0-9._-])`,
  ).test(whole);
}

function distinct(texts: Iterable<string>): Observable[] {
  const found = new Map<string, Observable>();
  for (const text of texts) {
    const reading = recognise(text, { acceptPrivateAddresses: true });
    if (reading.ok) found.set(reading.value.toLowerCase(), { type: reading.type, value: reading.value });
  }
  return [...found.values()];
}

const label = fc.constantFrom('a', 'evil', 'not-evil', 'example', 'net', 'com', 'x_y', '1', '11');
const name = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => `${labels.join('.')}.com`);
const octet = fc.constantFrom('1', '11', '111', '203', '0');
const address = fc
  .tuple(fc.constantFrom('1', '11', '203'), octet, octet, octet)
  .map((octets) => octets.join('.'));
const ipv6 = fc.tuple(fc.constantFrom('2001:db8', '2a00:1'), octet).map((parts) => parts.join('::'));
const host = fc.oneof(
  name,
  address,
  ipv6.map((text) => `[${text}]`),
);
const file = fc.constantFrom(
  '',
  'bins.sh',
  'x.bins.sh',
  '1.1.1.1',
  'a%2fevil.com',
  'get?u=http://evil.com/',
  'a.com:80',
);
const url = fc
  .tuple(fc.constantFrom('http', 'https', 'tcp'), host, file)
  .map(([scheme, at, path]) => `${scheme}://${at}/${path}`);
const value = fc.oneof(
  name,
  address,
  ipv6,
  url,
  name.map((at) => `user.name@${at}`),
  address.map((text) => `${text}/24`),
  fc.constantFrom('a'.repeat(32), 'b'.repeat(40), 'bins.sh'),
);

test('generated values: a search for each finds it and no stranger', async () => {
  const [texts = []] = fc.sample(fc.array(value, { minLength: 900, maxLength: 900 }), {
    numRuns: 1,
    seed: SEED,
  });
  const values = distinct(texts);
  assert.ok(values.length > 300, `${values.length}`);
  assert.ok((await checkEach(values)) > 50);
});

const skip = existsSync(DATA) ? false : 'there are no real feeds and logs beside this checkout';

test('real values: a search for each finds it and no stranger', { skip }, async (context) => {
  const words = [...new Set(wordsBelow(DATA, ['feeds', 'sensor-logs']))];
  // To recognise each word takes longer than the searches.
  const every = Math.max(1, Math.floor(words.length / (WORDS_FOR_A_VALUE * Number(flags.values))));
  const all = distinct(words.filter((_, index) => index % every === 0));
  const step = Math.max(1, Math.floor(all.length / Number(flags.values)));
  const values = all.filter((_, index) => index % step === 0);
  const more = await checkEach(values);
  context.diagnostic(`${values.length} of ${all.length} values, ${more} of them in others`);
});

/** Whatever stands between blanks, quotes and commas in the files. */
function* wordsBelow(folder: string, parts: readonly string[]): Generator<string> {
  for (const part of parts) {
    for (const entry of readdirSync(join(folder, part), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || /\.(?:gz|pcap|md)$/.test(entry.name)) continue;
      const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
      for (const [word] of text.matchAll(/[^\s,"';|<>]{4,1000}/g)) yield word;
    }
  }
}
