// A banner over keys that end soon: programs stop working then.

import type { ApiKey } from '../../api/contract.ts';
import { HostileText } from '../../parts/hostile-text.tsx';
import { Time } from '../../parts/time.tsx';
import { KEYS } from '../../text/keys.ts';

interface Props {
  readonly keys: readonly ApiKey[];
  readonly onRotate: (key: ApiKey) => void;
}

export function EndingSoon({ keys, onRotate }: Props) {
  if (keys.length === 0) return null;
  return (
    <section className="keys-banner" aria-label={KEYS.endingSoon(keys.length)}>
      <p>
        <strong>{KEYS.endingSoon(keys.length)}</strong> {KEYS.endingHint}
      </p>
      <ul>
        {keys.map((key) => (
          <li key={key.id}>
            <HostileText text={key.name} /> <Time at={key.expiresAt} />
            <button type="button" className="button small" onClick={() => onRotate(key)}>
              {KEYS.rotate}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
