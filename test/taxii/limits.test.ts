// A client that asks too often is told when to come back, in the form of TAXII.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RunningService } from '../support/running-service.ts';
import { TAXII_MEDIA_TYPE, TaxiiClient } from '../support/taxii-client.ts';
import type { TaxiiFault } from '../support/wire.ts';

test('429 with Retry-After and an error resource', async () => {
  const service = await RunningService.start({ TIS_RATE_LIMIT_PER_MINUTE: '1', TIS_RATE_LIMIT_BURST: '2' });
  try {
    const client = new TaxiiClient(() => service.url, await service.key());
    for (let call = 0; call < 2; call++) assert.equal((await client.list('objects')).status, 200);
    const answer = await client.list('objects');
    assert.equal(answer.headers.get('content-type'), TAXII_MEDIA_TYPE);
    assert.equal(answer.expect<TaxiiFault>(429).http_status, '429');
    assert.ok(Number(answer.headers.get('retry-after')) >= 1);
  } finally {
    await service.dispose();
  }
});
