// A link for one use, shown once.

import type { LinkedPerson } from '../../api/people.ts';
import { Code } from '../../parts/code.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Time } from '../../parts/time.tsx';
import { LINK } from '../../text/people.ts';

interface Props {
  readonly made: LinkedPerson;
  readonly onClose: () => void;
}

export function OneTimeLink({ made: { person, link }, onClose }: Props) {
  return (
    <Dialog
      title={LINK.title}
      onClose={onClose}
      sticky
      actions={
        <button type="button" className="button main" onClick={onClose}>
          {LINK.done}
        </button>
      }
    >
      <p>{link.purpose === 'reset' ? LINK.reset(person.login) : LINK.invitation(person.login)}</p>
      <Code label={LINK.label} text={`${location.origin}${link.path}`} />
      <p>
        {LINK.once} {LINK.ends} <Time at={link.expireTime} />.
      </p>
    </Dialog>
  );
}
