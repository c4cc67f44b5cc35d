// Roles and ceiling of a person. What is taken away is gone within a second, in open sessions too.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { changePerson, type Person } from '../../api/people.ts';
import { showToast } from '../../parts/toasts.ts';
import { CHANGE, PEOPLE } from '../../text/people.ts';
import { FormDialog } from './form-dialog.tsx';
import { RightsFields, rightsIn } from './rights-fields.tsx';

interface Props {
  readonly of: Person;
  readonly onClose: () => void;
}

export function ChangeRights({ of: { id, login, roles, tlpCeiling }, onClose }: Props) {
  const client = useQueryClient();
  const changing = useMutation({
    mutationFn: (form: FormData) => changePerson({ id, ...rightsIn(form) }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['people'] });
      showToast(PEOPLE.changed(login));
      onClose();
    },
  });
  return (
    <FormDialog
      title={CHANGE.title(login)}
      submit={CHANGE.submit}
      onSubmit={changing.mutate}
      onClose={onClose}
      busy={changing.isPending}
      error={changing.error}
    >
      <RightsFields roles={roles} tlpCeiling={tlpCeiling} />
    </FormDialog>
  );
}
