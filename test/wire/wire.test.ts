// The wire contract over real HTTP against a service with a fresh store. The rows are those of a Protobuf gateway; a row
// says where the service is stricter.

import { after, before, describe, it } from 'node:test';
import { exchange } from '../support/raw-socket.ts';
import { RunningService } from '../support/running-service.ts';
import { anEvent } from '../support/sensor-events.ts';
import { ERRORS } from './errors.ts';
import { QUERY_PARAMETERS } from './query-parameters.ts';
import { RAW_REQUESTS } from './raw-requests.ts';
import { REQUEST_BODIES } from './request-bodies.ts';
import { ROUTING } from './routing.ts';
import { TIMESTAMPS } from './timestamps.ts';
import { type Holder, POPULATION, send, type WireTable } from './wire-case.ts';

const SECTIONS: Readonly<Record<string, WireTable>> = {
  'request bodies': REQUEST_BODIES,
  timestamps: TIMESTAMPS,
  errors: ERRORS,
  routing: ROUTING,
  'query parameters': QUERY_PARAMETERS,
};

let service: RunningService;
let key: string;
/** Authorization headers. */
let credentials: Readonly<Record<Holder, string>>;
/** Id of the indicator that paths name as `{plc}`. */
let plc: string;

before(async () => {
  // Without a worker every indicator stays RAW and cannot be verified.
  service = await RunningService.start({ TIS_WORKERS: '0' });
  key = await service.key();
  const sensor = await service.key({ name: 'sensor', sensor: true });
  const accountant = await service.key({ name: 'accountant', scopes: ['usage:read'] });
  const scopeless = await service.key({ name: 'scopeless', scopes: [] });
  const analyst = service.token('indicators:read indicators:verify');
  credentials = {
    client: `Bearer ${key}`,
    accountant: `Bearer ${accountant}`,
    sensor: `Bearer ${sensor}`,
    scopeless: `Bearer ${scopeless}`,
    analyst: `Bearer ${analyst}`,
    none: '',
  };
  const reply = await service.as(sensor).ingest(Object.values(POPULATION).map((one) => anEvent(one)));
  plc = reply.results[0]?.indicatorId ?? '';
});
after(() => service.dispose());

let cases = RAW_REQUESTS.length;
for (const [section, rows] of Object.entries(SECTIONS)) {
  describe(section, () => {
    for (const [row, ofRow] of Object.entries(rows)) {
      cases += ofRow.length;
      describe(row, () => {
        for (const { check, ...sent } of ofRow) {
          it(sent.given, async () => {
            const path = sent.path?.replace('{plc}', plc) ?? '/';
            check(await send(service.url, credentials, { ...sent, path }));
          });
        }
      });
    }
  });
}

describe('bytes that no client sends', () => {
  for (const { given, bytes, check } of RAW_REQUESTS) {
    it(given, async () =>
      check(await exchange(service.port, Buffer.from(bytes.replace('KEY', key), 'latin1'))),
    );
  }
});

it('the count of cases', (t) => {
  t.diagnostic(`${cases} cases of the wire contract`);
});
