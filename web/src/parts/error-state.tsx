// Something failed: what happened, and what can be done about it.

import type { ReactNode } from 'react';
import { ServiceError } from '../api/service-error.ts';
import { errorTitle } from '../text/errors.ts';
import { PARTS } from '../text/parts.ts';
import { HostileText } from './hostile-text.tsx';
import './states.css';

interface Props {
  readonly error: unknown;
  readonly onRetry?: () => void;
  readonly children?: ReactNode;
}

export function ErrorState({ error, onRetry, children }: Props) {
  const fault = error instanceof ServiceError ? error : undefined;
  return (
    <div className="state state-error" role="alert">
      <h2>{errorTitle(fault?.status, fault?.reason)}</h2>
      <div className="state-body">
        {/* The message may repeat what was asked. */}
        <p>
          <HostileText text={error instanceof Error ? error.message : String(error)} limit={500} />
        </p>
        {fault !== undefined && fault.violations.length > 0 && (
          <ul className="state-violations">
            {fault.violations.map(({ field, description }) => (
              <li key={`${field} ${description}`}>
                <code>{field}</code> <HostileText text={description} />
              </li>
            ))}
          </ul>
        )}
        {fault?.retryAfter !== undefined && <p>{PARTS.waitSeconds(fault.retryAfter)}</p>}
        {children}
        {onRetry && (
          <button type="button" className="button" onClick={onRetry}>
            {PARTS.retry}
          </button>
        )}
        {fault !== undefined && fault.requestId !== '' && (
          <p className="soft">{PARTS.requestId(fault.requestId)}</p>
        )}
      </div>
    </div>
  );
}
