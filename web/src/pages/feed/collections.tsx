// The collections of the feed.

import type { Collection } from '../../api/live.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { HostileText } from '../../parts/hostile-text.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { FEED } from '../../text/feed.ts';

const COLUMNS: readonly Column<Collection>[] = [
  { key: 'title', title: FEED.title, cell: ({ title }) => <HostileText text={title} limit={100} /> },
  {
    key: 'id',
    title: FEED.id,
    cell: ({ id, title }) => (
      <span className="feed-id">
        <code>{id}</code>
        <CopyButton text={id} label={FEED.copyId(title)} className="button plain small" />
      </span>
    ),
  },
  { key: 'access', title: FEED.access, cell: ({ writable }) => (writable ? FEED.writable : FEED.readable) },
  {
    key: 'description',
    title: FEED.description,
    cell: ({ description }) => <HostileText text={description} limit={300} />,
  },
];

export function Collections({ collections }: { readonly collections: readonly Collection[] }) {
  return <Table caption={FEED.collections} columns={COLUMNS} rows={collections} rowKey={({ id }) => id} />;
}
