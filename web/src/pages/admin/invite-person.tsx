// An invitation: a new person with rights, and a link that lets him choose a password.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { invitePerson } from '../../api/people.ts';
import { INVITE } from '../../text/people.ts';
import { FormDialog } from './form-dialog.tsx';
import { OneTimeLink } from './one-time-link.tsx';
import { RightsFields, rightsIn } from './rights-fields.tsx';

export function InvitePerson({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const id = useId();
  const inviting = useMutation({
    mutationFn: (form: FormData) => {
      const name = String(form.get('name')).trim();
      const login = String(form.get('login')).trim();
      return invitePerson({ login, ...rightsIn(form), ...(name === '' ? {} : { name }) });
    },
    onSuccess: () => client.invalidateQueries({ queryKey: ['people'] }),
  });
  if (inviting.data !== undefined) return <OneTimeLink made={inviting.data} onClose={onClose} />;
  return (
    <FormDialog
      title={INVITE.title}
      submit={INVITE.submit}
      onSubmit={inviting.mutate}
      onClose={onClose}
      busy={inviting.isPending}
      error={inviting.error}
    >
      <div className="field">
        <label htmlFor={`${id}-login`}>{INVITE.login}</label>
        <input
          id={`${id}-login`}
          name="login"
          required
          maxLength={100}
          autoCapitalize="none"
          spellCheck={false}
          aria-describedby={`${id}-hint`}
        />
        <p id={`${id}-hint`} className="hint">
          {INVITE.loginHint}
        </p>
      </div>
      <div className="field">
        <label htmlFor={`${id}-name`}>{INVITE.name}</label>
        <input id={`${id}-name`} name="name" maxLength={100} />
      </div>
      <RightsFields roles={['analyst']} />
    </FormDialog>
  );
}
