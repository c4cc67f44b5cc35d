// Every shared part with ordinary and with hostile text: to look at, and for the browser tests.

import { useState } from 'react';
import { ServiceError } from '../../api/service-error.ts';
import { Code } from '../../parts/code.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { HostileText } from '../../parts/hostile-text.tsx';
import { Score } from '../../parts/score.tsx';
import { Severity } from '../../parts/severity.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { TlpChip } from '../../parts/tlp-chip.tsx';
import { showToast } from '../../parts/toasts.ts';
import { Value } from '../../parts/value.tsx';
import { Verdict } from '../../parts/verdict.tsx';
import { TITLES } from '../../text/titles.ts';
import { SAMPLES, SEVERITIES, TLPS, VALUES, VERDICTS } from './samples.ts';

export function PartsPage() {
  const [open, setOpen] = useState(false);
  return (
    <div className="page">
      <h1>{TITLES.parts}</h1>
      <p>
        {TLPS.map((tlp) => (
          <TlpChip key={tlp} tlp={tlp} />
        ))}{' '}
        {SEVERITIES.map((severity) => (
          <Severity key={severity} severity={severity} />
        ))}{' '}
        {VERDICTS.map((verdict) => (
          <Verdict key={verdict} verdict={verdict} />
        ))}{' '}
        <Score score={64} /> <Time at="2026-11-22T19:50:03Z" /> <Time at="2026-11-22T19:50:03Z" exact />{' '}
        <Time at={undefined} />
      </p>
      <p>
        <button type="button" className="button main" onClick={() => setOpen(true)}>
          Dialog
        </button>{' '}
        <button type="button" className="button" onClick={() => showToast(SAMPLES[0] ?? '')}>
          Toast
        </button>{' '}
        <button type="button" className="button danger">
          Danger
        </button>{' '}
        <CopyButton text="text" />
      </p>
      <Table
        caption="Values"
        columns={[
          { key: 'value', title: 'Value', cell: ([type, value]) => <Value type={type} value={value} /> },
          { key: 'length', title: 'Length', end: true, cell: ([, value]) => value.length },
        ]}
        rows={VALUES}
        rowKey={([type, value]) => `${type} ${value}`}
      />
      <Table
        caption="Texts"
        columns={[{ key: 'text', title: 'Text', cell: (text) => <HostileText text={text} /> }]}
        rows={SAMPLES}
        rowKey={(text) => text}
      />
      <Code label="sample" text={SAMPLES.slice(0, 3).join('\n')} />
      <EmptyState title="Nothing here">What to do next.</EmptyState>
      <ErrorState
        error={
          new ServiceError(400, {
            message: SAMPLES[0] ?? '',
            details: [{ fieldViolations: [{ field: 'filter.tags', description: SAMPLES[1] ?? '' }] }],
          })
        }
        onRetry={() => showToast('again', 'bad')}
      />
      {open && (
        <Dialog title="Dialog" onClose={() => setOpen(false)} actions={<CopyButton text="text" />}>
          <HostileText text={SAMPLES[0] ?? ''} />
        </Dialog>
      )}
    </div>
  );
}
