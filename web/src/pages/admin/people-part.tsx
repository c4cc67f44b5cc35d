// The people of the account: invite, change, reset, disable.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changePerson, listPeople, type Person } from '../../api/people.ts';
import { useSignedIn } from '../../app/session.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { HostileText } from '../../parts/hostile-text.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { TlpChip } from '../../parts/tlp-chip.tsx';
import { showToast } from '../../parts/toasts.ts';
import { PARTS } from '../../text/parts.ts';
import { PEOPLE, ROLE_WORDS } from '../../text/people.ts';
import { ChangeRights } from './change-rights.tsx';
import { InvitePerson } from './invite-person.tsx';
import { ResetPerson } from './reset-person.tsx';

/** The dialog that is open. */
type Act = 'invite' | { readonly act: 'change' | 'reset'; readonly person: Person };

export function PeoplePart() {
  const own = useSignedIn();
  const people = useQuery({ queryKey: ['people'], queryFn: listPeople });
  const [act, setAct] = useState<Act>();
  if (people.isPending) return <p className="waiting">{PARTS.loading}</p>;
  if (people.isError) return <ErrorState error={people.error} onRetry={() => void people.refetch()} />;
  const { columns } = PEOPLE;
  const table: readonly Column<Person>[] = [
    {
      key: 'login',
      title: columns.login,
      cell: ({ id, login, external }) => (
        <span className="admin-actor">
          <HostileText text={login} limit={60} brief />{' '}
          {id === own.person.id && <span className="soft">{PEOPLE.you}</span>}
          {external && <span className="soft">{PEOPLE.external}</span>}
        </span>
      ),
    },
    { key: 'name', title: columns.name, cell: ({ name }) => <HostileText text={name} limit={60} brief /> },
    {
      key: 'roles',
      title: columns.roles,
      cell: ({ roles }) => roles.map((role) => ROLE_WORDS[role]?.name ?? role).join(', '),
    },
    { key: 'ceiling', title: columns.ceiling, cell: ({ tlpCeiling }) => <TlpChip tlp={tlpCeiling} /> },
    {
      key: 'signedIn',
      title: columns.signedIn,
      cell: ({ lastSignInTime, disableTime }) =>
        disableTime === undefined ? <Time at={lastSignInTime} /> : <Disabled since={disableTime} />,
    },
    {
      key: 'actions',
      title: columns.actions,
      cell: (person) => <Acts of={person} onAct={(chosen) => setAct({ act: chosen, person })} />,
    },
  ];
  const close = () => setAct(undefined);
  return (
    <>
      <p>
        <button type="button" className="button main" onClick={() => setAct('invite')}>
          {PEOPLE.invite}
        </button>
      </p>
      <Table caption={PEOPLE.table} columns={table} rows={people.data} rowKey={({ id }) => id} />
      {act === 'invite' && <InvitePerson onClose={close} />}
      {typeof act === 'object' && act.act === 'change' && <ChangeRights of={act.person} onClose={close} />}
      {typeof act === 'object' && act.act === 'reset' && <ResetPerson of={act.person} onClose={close} />}
    </>
  );
}

function Disabled({ since }: { readonly since: string }) {
  return (
    <span className="soft">
      {PEOPLE.disabled} <Time at={since} />
    </span>
  );
}

interface ActsProps {
  readonly of: Person;
  readonly onAct: (act: 'change' | 'reset') => void;
}

function Acts({ of: { id, login, disableTime, external }, onAct }: ActsProps) {
  const client = useQueryClient();
  const disabled = disableTime !== undefined;
  const change = useMutation({
    mutationFn: () => changePerson({ id, disabled: !disabled }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['people'] });
      showToast(disabled ? PEOPLE.enabledDone(login) : PEOPLE.disabledDone(login));
    },
    onError: (error) => showToast(error.message, 'bad'),
  });
  const button = (text: string, look: string, onClick: () => void) => (
    <button
      type="button"
      className={`button small ${look}`}
      aria-label={`${text}: ${login}`}
      onClick={onClick}
    >
      {text}
    </button>
  );
  return (
    <span className="admin-acts">
      {button(PEOPLE.change, '', () => onAct('change'))}
      {!external && button(PEOPLE.reset, '', () => onAct('reset'))}
      {button(disabled ? PEOPLE.enable : PEOPLE.disable, disabled ? '' : 'danger', () => change.mutate())}
    </span>
  );
}
