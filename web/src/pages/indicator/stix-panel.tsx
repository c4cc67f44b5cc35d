// The indicator as TAXII clients get it.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { getStix } from '../../api/one-indicator.ts';
import { Code } from '../../parts/code.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { INDICATOR } from '../../text/indicator.ts';
import { PARTS } from '../../text/parts.ts';
import { Panel } from './panel.tsx';

interface Props {
  readonly id: string;
  /** A change makes the object out of date. */
  readonly updatedAt: string | undefined;
}

/** Loaded when it is opened. */
export function StixPanel({ id, updatedAt }: Props) {
  const [isOpen, setOpen] = useState(false);
  const stix = useQuery({
    queryKey: ['indicator', id, 'stix', updatedAt],
    queryFn: ({ signal }) => getStix(id, { signal }),
    enabled: isOpen,
  });
  const text = stix.data === undefined || stix.data.object === '' ? undefined : pretty(stix.data.object);
  return (
    <Panel
      title={INDICATOR.stix}
      aside={
        <button
          type="button"
          className="button small"
          aria-expanded={isOpen}
          onClick={() => setOpen((open) => !open)}
        >
          {isOpen ? 'Hide' : 'Show'}
        </button>
      }
    >
      {isOpen && stix.isPending && <p className="soft">{PARTS.loading}</p>}
      {isOpen && stix.isError && <ErrorState error={stix.error} onRetry={() => void stix.refetch()} />}
      {isOpen && stix.isSuccess && text === undefined && <p className="soft">{INDICATOR.stixNone}</p>}
      {isOpen && text !== undefined && <Code text={text} label={INDICATOR.stixLabel} />}
    </Panel>
  );
}

/** Lines of the JSON. */
function pretty(object: string): string {
  return JSON.stringify(JSON.parse(object), undefined, 2);
}
