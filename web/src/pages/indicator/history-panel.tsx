// What people did with the indicator, the newest first.

import type { HumanAct } from '../../api/contract.ts';
import { ErrorState } from '../../parts/error-state.tsx';
import { HostileText } from '../../parts/hostile-text.tsx';
import { Time } from '../../parts/time.tsx';
import { TlpChip } from '../../parts/tlp-chip.tsx';
import { ACT_WORDS, INDICATOR } from '../../text/indicator.ts';
import { Panel } from './panel.tsx';

interface Props {
  readonly acts: readonly HumanAct[];
  readonly error: Error | null;
}

export function HistoryPanel({ acts, error }: Props) {
  return (
    <Panel title={INDICATOR.history}>
      {error !== null && <ErrorState error={error} />}
      {acts.length === 0 ? (
        <p className="soft">{INDICATOR.noNotes}</p>
      ) : (
        <ol className="indicator-history">
          {acts.toReversed().map((act) => (
            <li key={`${act.at} ${act.kind} ${act.note}`}>
              <p>
                <b>{ACT_WORDS[act.kind] ?? act.kind}</b>{' '}
                <HostileText text={INDICATOR.by(act.actor)} limit={80} />, <Time at={act.at} />
                {act.note !== '' && (
                  <>
                    {' '}
                    <TlpChip tlp={act.tlp} />
                  </>
                )}
              </p>
              {act.note !== '' && (
                <blockquote>
                  <HostileText text={act.note} limit={400} lines />
                </blockquote>
              )}
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
