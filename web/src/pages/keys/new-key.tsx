// The dialog that makes a key. What the person may not give is not offered.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import type { CreateApiKeyResponse } from '../../api/contract.ts';
import { createKey } from '../../api/keys.ts';
import { mayUse, type Scope } from '../../api/session.ts';
import { useSignedIn } from '../../app/session.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { MarkingChoice } from '../../parts/marking-choice.tsx';
import { NEW_KEY, SCOPE_WORDS } from '../../text/keys.ts';
import { PARTS } from '../../text/parts.ts';
import { keyRequest, SCOPES_OF_KEYS } from './key-request.ts';
import { ShownKey } from './shown-key.tsx';

const DEFAULT_EXPIRY = 90 * 86_400;

export function NewKey({ onClose }: { readonly onClose: () => void }) {
  const { tlpCeiling } = useSignedIn();
  const client = useQueryClient();
  const [requestId] = useState(() => crypto.randomUUID());
  const [kind, setKind] = useState<'client' | 'sensor'>('client');
  const making = useMutation<CreateApiKeyResponse, Error, FormData>({
    mutationFn: (form) => createKey(keyRequest(form, requestId, Date.now())),
    onSuccess: () => client.invalidateQueries({ queryKey: ['keys'] }),
  });
  const id = useId();
  if (making.data !== undefined) return <ShownKey made={making.data} onClose={onClose} />;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    making.mutate(new FormData(event.currentTarget));
  };
  return (
    <Dialog
      title={NEW_KEY.title}
      onClose={onClose}
      wide
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {PARTS.cancel}
          </button>
          <button type="submit" form={id} className="button main" disabled={making.isPending}>
            {NEW_KEY.submit}
          </button>
        </>
      }
    >
      <form id={id} className="keys-form" onSubmit={submit}>
        <div className="field">
          <label htmlFor={`${id}-name`}>{NEW_KEY.name}</label>
          <input
            id={`${id}-name`}
            name="name"
            required
            maxLength={100}
            aria-describedby={`${id}-name-hint`}
          />
          <p id={`${id}-name-hint`} className="hint">
            {NEW_KEY.nameHint}
          </p>
        </div>
        <fieldset className="field">
          <legend className="label">{NEW_KEY.kind}</legend>
          {(['client', 'sensor'] as const).map((each) => (
            <label key={each} className="keys-choice">
              <input
                type="radio"
                name="kind"
                value={each}
                checked={kind === each}
                onChange={() => setKind(each)}
              />
              {NEW_KEY.kinds[each]}
            </label>
          ))}
        </fieldset>
        {kind === 'client' && <Scopes />}
        <div className="keys-form-row">
          <MarkingChoice label={NEW_KEY.ceiling} name="tlpCeiling" most={tlpCeiling} />
          <div className="field">
            <label htmlFor={`${id}-expiry`}>{NEW_KEY.expires}</label>
            <select id={`${id}-expiry`} name="expiry" defaultValue={DEFAULT_EXPIRY}>
              {NEW_KEY.expiries.map(({ text, seconds }) => (
                <option key={seconds} value={seconds}>
                  {text}
                </option>
              ))}
            </select>
          </div>
        </div>
        <Lines name="sourceRanges" label={NEW_KEY.ranges} hint={NEW_KEY.rangesHint} />
        {kind === 'sensor' && <Lines name="sources" label={NEW_KEY.sources} hint={NEW_KEY.sourcesHint} />}
      </form>
      {making.isError && <ErrorState error={making.error} />}
    </Dialog>
  );
}

function Scopes() {
  const person = useSignedIn();
  return (
    <fieldset className="field">
      <legend className="label">{NEW_KEY.scopes}</legend>
      {SCOPES_OF_KEYS.filter((scope) => mayUse(person, scope)).map((scope: Scope) => (
        <label key={scope} className="keys-choice">
          <input type="checkbox" name="scopes" value={scope} defaultChecked={scope === 'indicators:read'} />
          <span>
            <code>{scope}</code> {SCOPE_WORDS[scope]}
          </span>
        </label>
      ))}
      <p className="hint">{NEW_KEY.scopesHint}</p>
    </fieldset>
  );
}

function Lines(props: { readonly name: string; readonly label: string; readonly hint: string }) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{props.label}</label>
      <textarea id={id} name={props.name} rows={2} spellCheck={false} aria-describedby={`${id}-hint`} />
      <p id={`${id}-hint`} className="hint">
        {props.hint}
      </p>
    </div>
  );
}
