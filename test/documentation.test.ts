// The documentation is complete where it lists what the code knows: evidence keys and configuration variables.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { readConfig } from '../src/config.ts';
import { decodeBehaviours } from '../src/domain/evidence/behaviour.ts';
import { EVIDENCE_KEYS } from '../src/domain/evidence/evidence-key.ts';
import { EVENT } from '../src/domain/indicator/observation.test-support.ts';
import type { Environment } from '../src/variables.ts';

interface Row {
  readonly key: string;
  /** The example, with the other keys that it needs. */
  readonly evidence: Readonly<Record<string, string>>;
  readonly behaviours: readonly string[];
  /** Such as `write, HIGH`. */
  readonly outcome: string;
}

const [, section = ''] = /^## Evidence keys$(.*?)^## /ms.exec(await pageOf('sensors.md')) ?? [];
const rows = section.split('\n').flatMap(rowOf);

function pageOf(name: string): Promise<string> {
  return readFile(new URL(`../docs/${name}`, import.meta.url), 'utf8');
}

/** Rows of the other tables in the section have fewer cells. */
function rowOf(line: string): readonly Row[] {
  const [, keyCell = '', , example = '', decoded = '', outcome = ''] = line
    .split('|')
    .map((cell) => cell.trim());
  const [key] = codesIn(keyCell);
  const [value = '', ...others] = codesIn(example);
  if (key === undefined || outcome === '') return [];
  const needed = others.map((text) => text.split(': '));
  return [
    { key, evidence: { [key]: value, ...Object.fromEntries(needed) }, behaviours: codesIn(decoded), outcome },
  ];
}

function codesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

test('every evidence key has one row', () => {
  assert.deepEqual(rows.map(({ key }) => key).sort(), Object.keys(EVIDENCE_KEYS).sort());
});

for (const { key, evidence, behaviours, outcome } of rows) {
  test(`the example of ${key} is decoded as documented`, () => {
    const decoded = decodeBehaviours({
      ...EVENT,
      sensorType: 'UNSPECIFIED',
      protocol: 'UNSPECIFIED',
      evidence,
    });
    assert.deepEqual([...decoded.behaviours], behaviours);
    assert.equal(`${decoded.intent}, ${decoded.severity}`, outcome);
  });
}

test('every variable has one row', async () => {
  // The account claim is read only where identity tokens are configured.
  const given: Environment = {
    TIS_JWT_ISSUER: 'https://issuer.example.org',
    TIS_JWT_AUDIENCE: 'threat-indicators',
    TIS_JWT_JWKS_URL: 'https://issuer.example.org/keys',
  };
  const read = new Set<string>();
  readConfig(
    new Proxy(given, {
      get: (variables, name) => {
        read.add(String(name));
        return variables[String(name)];
      },
    }),
  );
  const documented = [...(await pageOf('configuration.md')).matchAll(/^\| `(TIS_\w+)`/gm)].map(
    ([, name]) => name,
  );
  assert.deepEqual(documented.sort(), [...read].sort());
});

test('the unit for systemd leaves room for what the service may use', async () => {
  const [, unit = ''] = /^\[Service\]$(.*?)^\[Install\]$/ms.exec(await pageOf('operating.md')) ?? [];
  const settingOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1];
  // The admin port has bounds of its own. The rest is for files and what the service asks others.
  assert.ok(Number(settingOf('LimitNOFILE')) > 2 * readConfig({}).connections.total + 1_000);
  assert.match(settingOf('MemoryMax') ?? '', /^\d+M$/);
  assert.ok(Number.parseInt(settingOf('MemoryMax') ?? '', 10) > 1_024);
  assert.equal(settingOf('CapabilityBoundingSet'), '');
  assert.equal(settingOf('SystemCallFilter'), '@system-service');
});
