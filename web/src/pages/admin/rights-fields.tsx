// The fields for roles and ceiling. What the person who fills them in lacks is not offered.

import type { TlpMarking } from '../../api/contract.ts';
import type { Role } from '../../api/session.ts';
import { useSignedIn } from '../../app/session.tsx';
import { MarkingChoice } from '../../parts/marking-choice.tsx';
import { RIGHTS, ROLE_WORDS } from '../../text/people.ts';

interface Props {
  readonly roles: readonly Role[];
  readonly tlpCeiling?: TlpMarking;
}

export function RightsFields({ roles, tlpCeiling }: Props) {
  const own = useSignedIn();
  return (
    <>
      <fieldset className="field">
        <legend className="label">{RIGHTS.roles}</legend>
        {Object.entries(ROLE_WORDS).map(([role, { name, may }]) => (
          <label key={role} className="admin-choice">
            <input type="checkbox" name="roles" value={role} defaultChecked={roles.includes(role as Role)} />
            <span>
              <b>{name}</b> {may}
            </span>
          </label>
        ))}
      </fieldset>
      <MarkingChoice
        label={RIGHTS.ceiling}
        name="tlpCeiling"
        most={own.tlpCeiling}
        {...(tlpCeiling === undefined ? {} : { chosen: tlpCeiling })}
      />
    </>
  );
}

export function rightsIn(form: FormData): {
  readonly roles: readonly Role[];
  readonly tlpCeiling: TlpMarking;
} {
  return {
    roles: form.getAll('roles').map(String) as Role[],
    tlpCeiling: String(form.get('tlpCeiling')) as TlpMarking,
  };
}
