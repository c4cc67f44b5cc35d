// The rows of the queue.

import { Link } from 'wouter';
import type { ThreatIndicator } from '../../api/contract.ts';
import { Score } from '../../parts/score.tsx';
import { Severity } from '../../parts/severity.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { Value } from '../../parts/value.tsx';
import { Verdict, verdictOf } from '../../parts/verdict.tsx';
import { QUEUE } from '../../text/queue.ts';
import { nameOf } from './use-queue.ts';

interface Props {
  readonly rows: readonly ThreatIndicator[];
  readonly selected: ReadonlySet<string>;
  /** Whether the person may judge. */
  readonly may: boolean;
  readonly onChoose: (id: string) => void;
  readonly onSelect: (id: string) => void;
  readonly onConfirm: (one: ThreatIndicator) => void;
  readonly onDispute: (one: ThreatIndicator) => void;
}

export function QueueTable({ rows, selected, may, onChoose, onSelect, onConfirm, onDispute }: Props) {
  const columns: readonly Column<ThreatIndicator>[] = [
    {
      key: 'select',
      title: '',
      cell: (one) => (
        <input
          type="checkbox"
          aria-label={QUEUE.select(nameOf(one))}
          checked={selected.has(one.id)}
          onChange={() => onSelect(one.id)}
        />
      ),
    },
    {
      key: 'indicator',
      title: QUEUE.indicator,
      cell: ({ id, type, value }) => (
        <Link href={`/indicators/${id}`} data-row={id} onFocus={() => onChoose(id)}>
          <Value type={type} value={value} limit={28} brief />
        </Link>
      ),
    },
    { key: 'verdict', title: QUEUE.verdict, cell: (one) => <Verdict verdict={verdictOf(one)} /> },
    { key: 'severity', title: QUEUE.severity, cell: ({ severity }) => <Severity severity={severity} /> },
    {
      key: 'confidence',
      title: QUEUE.confidence,
      cell: ({ confidenceScore, state }) => <Score score={confidenceScore} state={state} />,
    },
    { key: 'waits', title: QUEUE.waits, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      key: 'acts',
      title: '',
      cell: (one) =>
        may && (
          <span className="queue-acts">
            <button
              type="button"
              className="button small"
              aria-label={`${QUEUE.confirm}: ${nameOf(one)}`}
              onClick={() => onConfirm(one)}
            >
              {QUEUE.confirm}
            </button>
            <button
              type="button"
              className="button small"
              aria-label={`${QUEUE.dispute}: ${nameOf(one)}`}
              onClick={() => onDispute(one)}
            >
              {QUEUE.dispute}
            </button>
          </span>
        ),
    },
  ];
  return <Table caption={QUEUE.caption} columns={columns} rows={rows} rowKey={({ id }) => id} />;
}
