// The data of the demo: invented places, networks and host names of the addresses for documentation, which no real data
// set knows.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAddress } from '../domain/observable/address.ts';
import { installData } from '../pipeline/data-sets/installation.ts';
import { type NameServer, startNameServer } from '../pipeline/enrichers/loopback-name-server.ts';
import { reverseName } from '../pipeline/enrichers/reverse-dns.ts';
import { systemClock } from '../service/stores.ts';

const DATA = fileURLToPath(new URL('../../examples/data/', import.meta.url));
const GALAXIES = fileURLToPath(new URL('../../examples/galaxies/', import.meta.url));

export async function installDemoData(dataDir: string): Promise<void> {
  const now = systemClock();
  const origin = { licence: 'Apache-2.0', builtAt: now };
  await installData(dataDir, 'city', join(DATA, 'places.csv'), origin, now);
  await installData(dataDir, 'asn', join(DATA, 'networks.csv'), origin, now);
  await installData(dataDir, 'galaxies', GALAXIES, origin, now);
}

/** A resolver on loopback that knows the names of the examples. */
export async function startDemoNames(): Promise<NameServer> {
  const names = JSON.parse(await readFile(join(DATA, 'names.json'), 'utf8')) as Record<string, string>;
  const byQuery = new Map(
    Object.entries(names).flatMap(([address, name]): [string, string][] => {
      const parsed = parseAddress(address);
      return parsed === undefined ? [] : [[reverseName(parsed), name]];
    }),
  );
  return startNameServer((query) => {
    const name = byQuery.get(query);
    return name === undefined ? 'NXDOMAIN' : [name];
  });
}
