// A severity by word, form and colour: none of them alone.

import type { Severity as SeverityName } from '../api/contract.ts';
import { SEVERITY_WORDS } from '../text/words.ts';
import './chips.css';

const FORMS: Readonly<Record<SeverityName, string>> = {
  SEVERITY_UNSPECIFIED:
    'M6 1.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9m0 1.4a3.1 3.1 0 1 1 0 6.2a3.1 3.1 0 1 1 0-6.2',
  SEVERITY_INFO: 'M6 1.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9m0 1.4a3.1 3.1 0 1 1 0 6.2a3.1 3.1 0 1 1 0-6.2',
  SEVERITY_LOW: 'M6 1.8a4.2 4.2 0 1 0 0 8.4a4.2 4.2 0 1 0 0-8.4',
  SEVERITY_MEDIUM: 'M6 .8L11.2 6L6 11.2L.8 6Z',
  SEVERITY_HIGH: 'M6 1L11.6 10.8H.4Z',
  SEVERITY_CRITICAL: 'M3.6.6h4.8L11.4 3.6v4.8L8.4 11.4H3.6L.6 8.4V3.6ZM5.2 3v3.6h1.6V3ZM5.2 7.6v1.5h1.6V7.6Z',
};

export function Severity({ severity }: { readonly severity: SeverityName }) {
  const name = severity.slice('SEVERITY_'.length).toLowerCase();
  return (
    <span className={`severity severity-${name}`}>
      <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
        <path d={FORMS[severity] ?? FORMS.SEVERITY_INFO} fill="currentColor" fillRule="evenodd" />
      </svg>
      {SEVERITY_WORDS[severity] ?? severity}
    </span>
  );
}
