// Makes the key of the first sensor.

import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import type { CreateApiKeyResponse } from '../../api/contract.ts';
import { createKey } from '../../api/keys.ts';
import { ErrorState } from '../../parts/error-state.tsx';
import { START } from '../../text/start.ts';

const LIFETIME_MS = 90 * 86_400_000;

export function SensorKey({ onMade }: { readonly onMade: (made: CreateApiKeyResponse) => void }) {
  const [requestId] = useState(() => crypto.randomUUID());
  const id = useId();
  const making = useMutation({
    mutationFn: (name: string) =>
      createKey({
        name,
        sensor: true,
        requestId,
        expiresAt: new Date(Date.now() + LIFETIME_MS).toISOString(),
      }),
    onSuccess: onMade,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    making.mutate(String(new FormData(event.currentTarget).get('name')).trim());
  };
  return (
    <form className="start-form" onSubmit={submit}>
      <div className="field">
        <label htmlFor={id}>{START.key.name}</label>
        <input id={id} name="name" defaultValue={START.key.defaultName} required maxLength={100} />
      </div>
      <button type="submit" className="button main" disabled={making.isPending}>
        {START.key.submit}
      </button>
      {making.isError && <ErrorState error={making.error} />}
    </form>
  );
}
