// The score receipt as a picture with its arithmetic, and as tables.

import type { ReceiptGroup, ScoreReceipt } from '../../api/contract.ts';
import { ErrorState } from '../../parts/error-state.tsx';
import { HostileText } from '../../parts/hostile-text.tsx';
import { Table } from '../../parts/table.tsx';
import { INDICATOR } from '../../text/indicator.ts';
import { PARTS } from '../../text/parts.ts';
import { Panel } from './panel.tsx';
import { type Step, stepsOf } from './receipt-steps.ts';

interface Props {
  readonly receipt: ScoreReceipt | undefined;
  readonly error: Error | null;
}

export function ReceiptPanel({ receipt, error }: Props) {
  const steps = receipt === undefined ? [] : stepsOf(receipt);
  return (
    <Panel
      title={INDICATOR.receipt}
      aside={receipt !== undefined && receipt.rules !== '' && <span className="chip">{receipt.rules}</span>}
    >
      {error !== null && <ErrorState error={error} />}
      {receipt === undefined && error === null && <p className="soft">{PARTS.loading}</p>}
      {receipt !== undefined && steps.length === 0 && <p className="soft">{INDICATOR.notScored}</p>}
      {receipt !== undefined && steps.length > 0 && (
        <>
          <Picture steps={steps} />
          <Groups groups={receipt.groups} />
          <Remarks receipt={receipt} />
        </>
      )}
    </Panel>
  );
}

/** A bar for each step on one scale from 0 to 100. The formulas are the same numbers as text. */
function Picture({ steps }: { readonly steps: readonly Step[] }) {
  return (
    <ol className="receipt-steps" aria-label={INDICATOR.receiptPicture}>
      {steps.map(({ key, label, points, formula, limit, kind }) => (
        <li key={key} className={`receipt-${kind}`}>
          <span className="receipt-label">
            <HostileText text={label} limit={60} />
          </span>
          <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
            <rect className="receipt-track" width="100" height="10" />
            <rect className="receipt-bar" width={points} height="10" />
            {limit !== undefined && (
              <rect className="receipt-limit" x={Math.min(99, limit)} width="1" height="10" />
            )}
          </svg>
          <b>{kind === 'score' ? points : points.toFixed(1)}</b>
          <span className="receipt-formula soft">
            <HostileText text={formula} limit={200} />
          </span>
        </li>
      ))}
    </ol>
  );
}

function Groups({ groups }: { readonly groups: readonly ReceiptGroup[] }) {
  return (
    <Table
      caption={INDICATOR.receipt}
      rows={groups}
      rowKey={({ group }) => group}
      columns={[
        {
          key: 'group',
          title: INDICATOR.group,
          cell: ({ group, sourceName }) => (
            <HostileText text={sourceName === '' ? group : sourceName} limit={60} />
          ),
        },
        {
          key: 'reliability',
          title: INDICATOR.reliability,
          end: true,
          cell: (one) => one.reliability.toFixed(2),
        },
        { key: 'quality', title: INDICATOR.quality, end: true, cell: (one) => one.quality.toFixed(2) },
        { key: 'certainty', title: INDICATOR.certainty, end: true, cell: (one) => one.certainty.toFixed(3) },
        { key: 'recency', title: INDICATOR.recency, end: true, cell: (one) => one.recency.toFixed(3) },
        {
          key: 'probability',
          title: INDICATOR.probability,
          end: true,
          cell: (one) => <b>{one.probability.toFixed(3)}</b>,
        },
      ]}
    />
  );
}

function Remarks({ receipt }: { readonly receipt: ScoreReceipt }) {
  const { corroboration, severity, warningLists, failures, datasets } = receipt;
  const remarks = [
    ...(corroboration === undefined
      ? []
      : [
          `${INDICATOR.steps.doubt}: ${corroboration.doubt.toFixed(3)} (${INDICATOR.doubt({
            days: corroboration.sensorDays,
            events: 2 ** corroboration.doublings,
            acts: corroboration.acts,
          })})`,
        ]),
    ...(severity === undefined ? [] : [`severity bounded: ${severity.because}`]),
    ...warningLists.map(({ name, version, entry }) => `on the list "${name}" (${version}): ${entry}`),
    ...datasets.map(({ name, builtAt }) => `data of ${name}, ${builtAt?.slice(0, 10) ?? ''}`),
    ...failures.map(({ enricher, reason }) => `enricher ${enricher} failed: ${reason}`),
  ];
  return (
    <ul className="indicator-remarks soft">
      {remarks.map((remark) => (
        <li key={remark}>
          <HostileText text={remark} limit={300} />
        </li>
      ))}
    </ul>
  );
}
