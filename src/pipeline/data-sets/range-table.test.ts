// Tables of address ranges in CSV.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { formatAddress, parseCidr } from '../../domain/observable/address.ts';
import { openRangeTable } from './range-table.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'ranges-'));
after(() => rmSync(FOLDER, { recursive: true, force: true }));

async function table(text: string) {
  const path = join(FOLDER, 'ranges.csv');
  writeFileSync(path, text);
  const { lookup, records, dataset } = await openRangeTable(path, 7);
  const answer = (cidr: string) => {
    const range = parseCidr(cidr);
    return range && lookup(range);
  };
  return { answer, records, dataset };
}

test('countries, networks and places of both families', async () => {
  const countries = await table(
    '1.0.0.0,1.0.0.255,AU\r\n2001:db8::,2001:db8:ffff:ffff:ffff:ffff:ffff:ffff,NL\n',
  );
  assert.deepEqual(countries.answer('1.0.0.7/32'), { country_code: 'AU' });
  assert.deepEqual(countries.answer('2001:db8:1::1/128'), { country_code: 'NL' });
  assert.equal(countries.answer('1.0.1.0/32'), undefined);
  assert.equal(countries.answer('0.255.255.255/32'), undefined);
  assert.deepEqual(countries.dataset, { name: 'ranges.csv', builtAt: 7 });

  const networks = await table(
    '1.0.0.0,1.0.0.255,64496,"Example ""Net"", Inc."\n\n1.0.1.0,1.0.1.255,64497,Other\n',
  );
  assert.deepEqual(networks.answer('1.0.0.0/24'), {
    autonomous_system_number: '64496',
    autonomous_system_organization: 'Example "Net", Inc.',
  });
  assert.equal(networks.answer('1.0.0.0/23'), undefined, 'no row covers the whole range');
  assert.equal([...networks.records()].length, 2);

  const places = await table('1.0.0.0,1.0.0.255,NL,South Holland,,Delft,,52.01,4.36,\n');
  const place = places.answer('1.0.0.1/32') as Record<string, string>;
  assert.deepEqual([place.country_code, place.city, place.latitude], ['NL', 'Delft', '52.01']);
});

test('a file that is not such a table is refused with its line', async () => {
  for (const [text, fault] of [
    ['1.0.0.0,1.0.0.255,AU\nx\n', 'has no range of addresses in line 2'],
    ['1.0.0.0,2001:db8::,AU\n', 'has no range of addresses in line 1'],
    ['1.0.0.9,1.0.0.1,AU\n', 'is not sorted by address in line 1'],
    ['2.0.0.0,2.0.0.1,AU\n1.0.0.0,1.0.0.1,AU\n', 'is not sorted by address in line 2'],
    ['1.0.0.0,1.0.0.255,a,b,c\n', 'is not a CSV file of ranges with 3, 4 or 10 columns'],
    ['', 'is not a CSV file of ranges with 3, 4 or 10 columns'],
  ] as const)
    await assert.rejects(table(text), ({ message }: Error) => message.endsWith(fault), text);
});

test('an address gets the value of the row around it, for any rows', async () => {
  const rows = fc.uniqueArray(fc.tuple(fc.nat(2 ** 30), fc.nat(3)), { selector: ([at]) => at, minLength: 1 });
  await fc.assert(
    fc.asyncProperty(rows, fc.nat(2 ** 30), async (starts, asked) => {
      const sorted = starts
        .sort(([a], [b]) => a - b)
        .map(([at, length], index) => ({
          at,
          end: Math.min(at + length, (starts[index + 1]?.[0] ?? 2 ** 31) - 1),
          index,
        }));
      const text = (at: number) => formatAddress([at >>> 24, (at >>> 16) & 255, (at >>> 8) & 255, at & 255]);
      const { answer } = await table(
        sorted.map(({ at, end, index }) => `${text(at)},${text(end)},C${index}`).join('\n'),
      );
      for (const at of [asked, ...sorted.flatMap((row) => [row.at, row.end, row.end + 1])]) {
        const expected = sorted.find((row) => row.at <= at && at <= row.end);
        assert.deepEqual(answer(`${text(at)}/32`), expected && { country_code: `C${expected.index}` });
      }
    }),
    { numRuns: 40 },
  );
});
