// How a program is told to use the service, with a key in it.

import { useId, useState } from 'react';
import { CLIENT_SETUP, setupsFor } from '../text/client-setup.ts';
import { Code } from './code.tsx';
import { CopyButton } from './copy-button.tsx';
import './client-setup.css';

interface Props {
  /** Left out: a placeholder stands in its place. */
  readonly plaintext?: string;
  readonly kind: 'client' | 'sensor';
}

export function ClientSetup({ plaintext = CLIENT_SETUP.placeholder, kind }: Props) {
  const setups = setupsFor(location.origin, plaintext).filter((setup) => setup.kind === kind);
  const [name, setName] = useState(setups[0]?.name);
  const id = useId();
  const chosen = setups.find((setup) => setup.name === name);
  return (
    <div className="client-setup">
      <div className="field">
        <label htmlFor={id}>{CLIENT_SETUP.choose}</label>
        <select id={id} value={name} onChange={(event) => setName(event.target.value)}>
          {setups.map((setup) => (
            <option key={setup.name}>{setup.name}</option>
          ))}
        </select>
      </div>
      {chosen && <p>{chosen.says}</p>}
      {chosen?.code && <Code label={`command for ${chosen.name}`} text={chosen.code} />}
      {chosen?.fields && (
        <dl className="client-setup-fields" aria-label={CLIENT_SETUP.fields}>
          {chosen.fields.map(([field, value]) => (
            <div key={field}>
              <dt>{field}</dt>
              <dd>
                <code>{value}</code>
                <CopyButton text={value} label={`Copy ${field}`} className="button plain small" />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}
