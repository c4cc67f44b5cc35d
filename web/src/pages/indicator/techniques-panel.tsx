// The techniques by tactic, in the columns of the ATT&CK matrix for industrial control systems.

import type { ReceiptTechnique } from '../../api/contract.ts';
import { HostileText } from '../../parts/hostile-text.tsx';
import { ENTERPRISE_TECHNIQUES, ICS_TACTICS, ICS_TECHNIQUES } from '../../text/attack.ts';
import { INDICATOR } from '../../text/indicator.ts';
import { Panel } from './panel.tsx';

interface Props {
  readonly ids: readonly string[];
  readonly because: readonly ReceiptTechnique[] | undefined;
}

export function TechniquesPanel({ ids, because = [] }: Props) {
  const reasons = new Map(because.map(({ id, because: reason }) => [id, reason]));
  const ics = ids.filter((id) => ICS_TECHNIQUES[id] !== undefined);
  const others = ids.filter((id) => ICS_TECHNIQUES[id] === undefined);
  return (
    <Panel title={INDICATOR.techniques}>
      {ids.length === 0 && <p className="soft">{INDICATOR.noTechniques}</p>}
      {ids.length > 0 && (
        <ul className="attack-matrix">
          {ICS_TACTICS.map((tactic) => {
            const here = ics.filter((id) => ICS_TECHNIQUES[id]?.tactics.includes(tactic));
            return (
              <li key={tactic} className={here.length === 0 ? 'attack-tactic' : 'attack-tactic attack-used'}>
                <h3>{tactic}</h3>
                {here.length > 0 && (
                  <ul>
                    {here.map((id) => (
                      <Technique key={id} id={id} name={ICS_TECHNIQUES[id]?.name} reason={reasons.get(id)} />
                    ))}
                  </ul>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {others.length > 0 && (
        <>
          <h3>{INDICATOR.techniquesElse}</h3>
          <ul className="attack-others">
            {others.map((id) => (
              <Technique
                key={id}
                id={id}
                name={ENTERPRISE_TECHNIQUES[id]?.name}
                tactics={ENTERPRISE_TECHNIQUES[id]?.tactics}
                reason={reasons.get(id)}
              />
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}

interface TechniqueProps {
  readonly id: string;
  readonly name: string | undefined;
  readonly tactics?: readonly string[] | undefined;
  readonly reason: string | undefined;
}

function Technique({ id, name = '', tactics, reason }: TechniqueProps) {
  return (
    <li className="attack-technique">
      <b>
        <HostileText text={id} limit={20} />
      </b>{' '}
      {name}
      {tactics !== undefined && <span className="soft">{` (${tactics.join(', ')})`}</span>}
      {reason !== undefined && (
        <span className="soft attack-reason">
          <HostileText text={reason} limit={120} />
        </span>
      )}
    </li>
  );
}
