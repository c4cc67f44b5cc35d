// The own passkeys.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { listPasskeys, type OwnPasskey, removePasskey } from '../../api/own-account.ts';
import { ServiceError } from '../../api/service-error.ts';
import { ErrorState } from '../../parts/error-state.tsx';
import { visibleText } from '../../parts/hostile-text.ts';
import { HostileText } from '../../parts/hostile-text.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { showToast } from '../../parts/toasts.ts';
import { ACCOUNT } from '../../text/account.ts';

const KEY = ['own', 'passkeys'];

export function Passkeys() {
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({ queryKey: KEY, queryFn: listPasskeys });
  const changed = (text: string) => {
    showToast(text);
    return client.invalidateQueries({ queryKey: KEY });
  };
  const remove = useMutation({
    mutationFn: removePasskey,
    onSuccess: () => changed(ACCOUNT.passkeyRemoved),
    onError: (fault) => showToast(fault.message, 'bad'),
  });
  const add = useMutation({
    mutationFn: async (name: string) => (await import('../../api/passkeys.ts')).addPasskey(name),
    onSuccess: () => changed(ACCOUNT.passkeyAdded),
    onError: (fault) =>
      showToast(fault instanceof ServiceError ? fault.message : ACCOUNT.passkeyFailed, 'bad'),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const element = event.currentTarget;
    const name = String(new FormData(element).get('name')).trim();
    add.mutate(name, { onSuccess: () => element.reset() });
  };
  const columns: readonly Column<OwnPasskey>[] = [
    {
      key: 'name',
      title: ACCOUNT.columns.name,
      cell: ({ name, synced }) => (
        <>
          <HostileText text={name} limit={100} /> {synced && <span className="soft">{ACCOUNT.synced}</span>}
        </>
      ),
    },
    { key: 'created', title: ACCOUNT.columns.created, cell: (passkey) => <Time at={passkey.createTime} /> },
    { key: 'used', title: ACCOUNT.columns.used, cell: (passkey) => <Time at={passkey.lastUseTime} /> },
    {
      key: 'remove',
      title: '',
      end: true,
      cell: ({ id, name }) => (
        <button
          type="button"
          className="button small"
          aria-label={ACCOUNT.removeNamed(visibleText(name))}
          disabled={remove.isPending}
          onClick={() => remove.mutate(id)}
        >
          {ACCOUNT.remove}
        </button>
      ),
    },
  ];
  return (
    <section className="panel account-part">
      <h2>{ACCOUNT.passkeys}</h2>
      <p className="soft">{ACCOUNT.passkeysHint}</p>
      {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <p>{ACCOUNT.noPasskeys}</p>}
      {data !== undefined && data.length > 0 && (
        <Table caption={ACCOUNT.passkeys} columns={columns} rows={data} rowKey={({ id }) => id} />
      )}
      <form className="account-line" onSubmit={submit}>
        <input
          name="name"
          aria-label={ACCOUNT.passkeyName}
          placeholder={ACCOUNT.passkeyExample}
          maxLength={100}
          required
        />
        <button type="submit" className="button" disabled={add.isPending}>
          {ACCOUNT.addPasskey}
        </button>
      </form>
    </section>
  );
}
