// Asks a person whether another application may act in his name.

import { useMutation, useQuery } from '@tanstack/react-query';
import { answerInteraction, getInteraction } from '../../api/interaction.ts';
import { ServiceError } from '../../api/service-error.ts';
import type { SignedIn } from '../../api/session.ts';
import { ErrorState } from '../../parts/error-state.tsx';
import { HostileText } from '../../parts/hostile-text.tsx';
import { CONSENT, SCOPE_WORDS } from '../../text/consent.ts';

export function Consent({ id, session }: { readonly id: string; readonly session: SignedIn }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['interaction', id, session.person.id],
    queryFn: () => getInteraction(id),
  });
  const answer = useMutation({
    mutationFn: (agree: boolean) => answerInteraction(id, agree),
    onSuccess: (continueTo) => location.assign(continueTo),
  });
  const fault = error ?? answer.error;
  if (fault instanceof ServiceError && fault.reason === 'INTERACTION_NOT_FOUND') {
    return <p>{CONSENT.ended}</p>;
  }
  if (fault !== null) return <ErrorState error={fault} onRetry={() => void refetch()} />;
  if (data === undefined) return <p className="soft">{CONSENT.loading}</p>;
  const granted = data.granted ?? [];
  return (
    <>
      <p>
        <b>
          <HostileText text={data.client.name} limit={100} />
        </b>{' '}
        {CONSENT.asks} <HostileText text={session.person.login} limit={100} />:
      </p>
      {granted.length === 0 ? (
        <p>{CONSENT.onlyWho}</p>
      ) : (
        <ul className="consent-scopes">
          {granted.map((scope) => (
            <li key={scope}>{SCOPE_WORDS[scope] ?? scope}</li>
          ))}
        </ul>
      )}
      <p className="soft">
        {CONSENT.returnsTo} <HostileText text={data.returnsTo} limit={100} />
      </p>
      <div className="consent-buttons">
        <button
          type="button"
          className="button main"
          disabled={answer.isPending || answer.isSuccess}
          onClick={() => answer.mutate(true)}
        >
          {CONSENT.agree}
        </button>
        <button
          type="button"
          className="button"
          disabled={answer.isPending || answer.isSuccess}
          onClick={() => answer.mutate(false)}
        >
          {CONSENT.refuse}
        </button>
      </div>
    </>
  );
}
