// A link that lets somebody who forgot his password choose a new one.

import { useMutation } from '@tanstack/react-query';
import { type Person, resetPerson } from '../../api/people.ts';
import { RESET } from '../../text/people.ts';
import { FormDialog } from './form-dialog.tsx';
import { OneTimeLink } from './one-time-link.tsx';

export function ResetPerson({
  of: { id, login },
  onClose,
}: {
  readonly of: Person;
  readonly onClose: () => void;
}) {
  const resetting = useMutation({ mutationFn: () => resetPerson(id) });
  if (resetting.data !== undefined) return <OneTimeLink made={resetting.data} onClose={onClose} />;
  return (
    <FormDialog
      title={RESET.title(login)}
      submit={RESET.submit}
      onSubmit={() => resetting.mutate()}
      onClose={onClose}
      busy={resetting.isPending}
      error={resetting.error}
    >
      <p>{RESET.explain}</p>
    </FormDialog>
  );
}
