// The feed: its collections, who reads them and how, and how to set a program up.

import { useQuery } from '@tanstack/react-query';
import { listCollections } from '../../api/live.ts';
import { mayUse } from '../../api/session.ts';
import { useSignedIn } from '../../app/session.tsx';
import { ClientSetup } from '../../parts/client-setup.tsx';
import { Code } from '../../parts/code.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { FEED } from '../../text/feed.ts';
import { TITLES } from '../../text/titles.ts';
import { Collections } from './collections.tsx';
import { Consumers } from './consumers.tsx';
import './feed.css';

export function FeedPage() {
  const session = useSignedIn();
  const { data, error, refetch } = useQuery({ queryKey: ['collections'], queryFn: listCollections });
  const collections = data?.collections ?? [];
  return (
    <div className="page">
      <h1>{TITLES.feed}</h1>
      <p className="soft">{FEED.intro}</p>
      <Code label={FEED.root} text={`${location.origin}/taxii2/`} />
      <section className="feed-part" aria-labelledby="feed-collections">
        <h2 id="feed-collections">{FEED.collections}</h2>
        {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
        {data && <Collections collections={collections} />}
      </section>
      <section className="feed-part feed-consumers" aria-labelledby="feed-consumers">
        <h2 id="feed-consumers">{FEED.consumers}</h2>
        {mayUse(session, 'usage:read') ? (
          <Consumers collections={collections} />
        ) : (
          <p className="soft">{FEED.notAllowed}</p>
        )}
      </section>
      <section className="feed-part" aria-labelledby="feed-setup">
        <h2 id="feed-setup">{FEED.setup}</h2>
        <p className="soft">{FEED.setupHint}</p>
        <ClientSetup kind="client" />
      </section>
    </div>
  );
}
