// The operations of the REST interface: who may do what, and what is asked of the layers below.

import { ServiceError } from '../../domain/errors.ts';
import { requireClient, requirePerson, requireScope } from '../../gateway/authorize.ts';
import type { Caller } from '../../gateway/caller.ts';
import type {
  IndicatorService,
  SearchIndicatorsRequest,
  SensorEventService,
} from '../../protojson/contract.ts';
import { encodeReceipt } from '../../protojson/indicator-json.ts';
import { toSensorEvent } from '../../protojson/sensor-event.ts';
import type { SearchPage } from '../../search/search.ts';
import type { RestDependencies } from '../http/dependencies.ts';
import { jsonList } from '../http/json-list.ts';
import { encodeIngestResponse, toReporter } from './ingest-mapping.ts';
import { toSearchRequest } from './search-mapping.ts';
import type { Operations } from './transcoder.ts';

const INGEST_BODY_LIMIT = 8 * 1_048_576;
/** Ids are written in lower case only; whatever has another form can not be there and is not looked up. */
const INDICATOR_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

export function indicatorOperations({
  stores,
  search,
  commands,
  meter,
}: RestDependencies): Operations<typeof IndicatorService> {
  return {
    searchIndicators: {
      authorize: (caller) => requireScope(caller, 'indicators:read'),
      answer: async (request: SearchIndicatorsRequest, { account, id, ceiling }) => {
        const page = await search(toSearchRequest(request, ceiling));
        const body = pageBody(page);
        // Last, so that nothing can fail between the bill and the answer.
        await meter.record({ account, credential: id, returned: page.documents.length });
        return body;
      },
    },
    getIndicator: {
      authorize: requireClient,
      answer: async ({ id }, { ceiling }) =>
        found(id, await stores.indicators.document(existing(id), ceiling)),
    },
    verifyIndicator: {
      authorize: (caller) => {
        requirePerson(caller);
        requireScope(caller, 'indicators:verify');
      },
      answer: ({ id, note, requestId }, { actor, ceiling }) =>
        commands.verify({
          indicatorId: existing(id),
          actor,
          ceiling,
          note,
          ...(requestId === '' ? {} : { requestId }),
        }),
    },
    explainIndicator: {
      authorize: (caller) => requireScope(caller, 'indicators:read'),
      answer: async ({ id }, { ceiling }) =>
        encodeReceipt(found(id, await stores.indicators.record(existing(id), ceiling)).record),
    },
  };
}

export function sensorEventOperations({ commands }: RestDependencies): Operations<typeof SensorEventService> {
  return {
    ingestSensorEvents: {
      bodyLimit: INGEST_BODY_LIMIT,
      authorize: (caller: Caller) => requireScope(caller, 'events:write'),
      answer: async ({ events, requestId }, caller) => {
        const reporter = toReporter(caller);
        const batch = events.map((event) => toSensorEvent(event));
        const results = await commands.ingest(batch, reporter, requestId === '' ? undefined : requestId);
        return encodeIngestResponse(results);
      },
    },
  };
}

/** Stored documents are handed out as they are: a page is put together, not encoded. */
function pageBody({ documents, nextPageToken, totalCount }: SearchPage): Buffer {
  const total = totalCount === undefined ? '' : `,"totalCount":"${totalCount}"`;
  const pageInfo = `{"nextPageToken":"${nextPageToken}"${total}}`;
  return jsonList('{"indicators":', documents, `,"pageInfo":${pageInfo}}`);
}

/** @throws ServiceError `not_found` for what can not be an id. */
function existing(id: string): string {
  if (!INDICATOR_ID.test(id)) throw notFound(id);
  return id;
}

function found<Value>(id: string, value: Value | undefined): Value {
  if (value === undefined) throw notFound(id);
  return value;
}

function notFound(id: string): ServiceError {
  return new ServiceError('not_found', 'no such indicator', {
    reason: 'INDICATOR_NOT_FOUND',
    metadata: { id: id.slice(0, 64) },
  });
}
