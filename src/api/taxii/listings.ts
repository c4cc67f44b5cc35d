// The paged endpoints of a collection (TAXII 2.1 §5.3, §5.4, §5.6, §5.8): objects, manifest, one object, its versions.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { formatMicros } from '../../domain/date-added.ts';
import { ServiceError } from '../../domain/errors.ts';
import type { TlpMarking } from '../../domain/vocabulary.ts';
import { type CursorCodec, cursorCodec } from '../../feed/cursor.ts';
import type { FeedFilter } from '../../feed/feed-filter.ts';
import { type PollPage, type PollRequest, type PollSource, poll } from '../../feed/poll.ts';
import type { Caller } from '../../gateway/caller.ts';
import { MOST_AGENT, type NotePoll } from '../../metering/feed-polls.ts';
import type { DateAdded, FeedBlock, FeedEntry, FeedReader, FeedVersion } from '../../store/feed.ts';
import type { Installation } from '../../store/stores.ts';
import type { Parts } from '../http/raw-answer.ts';
import type { CallerCollection } from './collections.ts';
import { type FeedParameters, type MatchField, parseFeedParameters } from './parameters.ts';
import { pageTag, sendTaxii } from './reply.ts';
import { envelopeBody, manifestBody, versionsBody } from './resources.ts';

export interface ListingDeps {
  readonly feed: FeedReader;
  readonly installation: Installation;
  readonly notePoll: NotePoll;
}

/** A handler for a caller who may read the collection. */
export type ListingHandler = (
  caller: Caller,
  collection: CallerCollection,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<undefined>;

export interface ListingHandlers {
  readonly objects: ListingHandler;
  readonly manifest: ListingHandler;
  readonly object: ListingHandler;
  readonly versions: ListingHandler;
}

const ALL_FIELDS: readonly MatchField[] = ['id', 'type', 'version', 'spec_version'];

export function createListings({ feed, installation, notePoll }: ListingDeps): ListingHandlers {
  const cursors: CursorCodec = cursorCodec(installation.secret);
  const bounds: FeedReader['bounds'] = (ceiling, addedAfter) => feed.bounds(ceiling, addedAfter);
  const objects: PollSource<FeedBlock> = { page: (query) => feed.blocks(query), bounds };
  const versions: PollSource<FeedVersion> = { page: (query) => feed.versions(query), bounds };
  // Just before the first possible version, because added_after is exclusive.
  const beginning = formatMicros(installation.createdAt * 1_000 - 1);

  /** Rejects with `not_found` for an object of which the caller may see no version. */
  async function pageOf<Entry extends FeedEntry>(
    source: PollSource<Entry>,
    request: PollRequest,
    ceiling: TlpMarking,
    objectId?: string,
  ): Promise<PollPage<Entry>> {
    const page = await poll(source, cursors, request, ceiling);
    if (objectId !== undefined && page.entries.length === 0 && !(await exists(objectId, request, ceiling))) {
      throw new ServiceError('not_found', 'no such object', { reason: 'OBJECT_NOT_FOUND' });
    }
    return page;
  }

  async function exists(
    objectId: string,
    { collection }: PollRequest,
    ceiling: TlpMarking,
  ): Promise<boolean> {
    const bounds = await feed.bounds(ceiling);
    if (bounds === undefined) return false;
    const { entries } = await feed.versions({
      until: bounds.end.place,
      limit: 1,
      ceiling,
      ids: [objectId],
      ...(collection !== undefined && { collection }),
    });
    return entries.length > 0;
  }

  /** @param restrict the part of the filter that comes from the path. */
  function listing<Entry extends FeedVersion | FeedBlock>(
    name: string,
    fields: readonly MatchField[],
    source: PollSource<Entry>,
    body: (page: PollPage<Entry>) => Parts,
    restrict: (objectId: string) => FeedFilter = () => ({}),
    notes = false,
  ): ListingHandler {
    return async (caller, { collection, part }, request, reply) => {
      const { objectId } = request.params as { objectId?: string };
      const { filter, ...parameters } = parseFeedParameters(request.url, fields);
      const found = await pageOf(
        source,
        {
          ...parameters,
          scope: JSON.stringify([name, collection.id, objectId]),
          filter: objectId === undefined ? filter : { ...filter, ...restrict(objectId) },
          ...(part !== undefined && { collection: part }),
        },
        caller.ceiling,
        objectId,
      );
      // §3.2: on every 2xx answer. On an empty page the headers hold the position to continue from.
      const position = found.after === undefined ? beginning : formatMicros(found.after);
      if (notes) notePoll(pollOf(caller, collection.id, request, parameters, found));
      const [first] = found.entries;
      const last = found.entries.at(-1);
      reply.header('x-taxii-date-added-first', first ? formatMicros(firstDate(first)) : position);
      reply.header('x-taxii-date-added-last', last ? formatMicros(last.dateAdded) : position);
      return sendTaxii(reply, pageTag(found, caller.ceiling), () => body(found));
    };
  }

  return {
    objects: listing('objects', ALL_FIELDS, objects, envelopeBody, undefined, true),
    manifest: listing('manifest', ALL_FIELDS, versions, manifestBody),
    object: listing('object', ['version', 'spec_version'], objects, envelopeBody, (id) => ({ ids: [id] })),
    versions: listing('versions', ['spec_version'], versions, versionsBody, (id) => ({
      ids: [id],
      versions: 'all',
    })),
  };
}

/** The poll as consumers are followed. */
function pollOf(
  { account, id: credential }: Caller,
  collection: string,
  request: FastifyRequest,
  { addedAfter, next, limit }: Omit<FeedParameters, 'filter'>,
  { entries, after, next: cursor }: PollPage<FeedEntry>,
): Parameters<NotePoll>[0] {
  return {
    account,
    credential,
    collection,
    agent: (request.headers['user-agent'] ?? '').slice(0, MOST_AGENT),
    ...(addedAfter === undefined ? {} : { addedAfter }),
    // The end of a cursor is a part of its seal.
    ...(next === undefined ? {} : { next: next.slice(-CURSOR_END) }),
    ...(limit === undefined ? {} : { limit }),
    position: entries.at(-1)?.dateAdded ?? after ?? 0,
    isEmpty: entries.length === 0,
    more: cursor !== undefined,
  };
}

const CURSOR_END = 16;

function firstDate(entry: FeedVersion | FeedBlock): DateAdded {
  return 'first' in entry ? entry.first : entry.dateAdded;
}
