// A choice of markings up to that of the person who gives it: nobody gives what he lacks.

import { useId } from 'react';
import type { TlpMarking } from '../api/contract.ts';
import { TLP_WORDS } from '../text/words.ts';

/** From the least to the most restrictive. */
const MARKINGS: readonly TlpMarking[] = [
  'TLP_MARKING_CLEAR',
  'TLP_MARKING_GREEN',
  'TLP_MARKING_AMBER',
  'TLP_MARKING_AMBER_STRICT',
  'TLP_MARKING_RED',
];

interface Props {
  readonly label: string;
  readonly name: string;
  /** The highest one that is offered. */
  readonly most: TlpMarking;
  /** Default: AMBER+STRICT, or the highest below it. */
  readonly chosen?: TlpMarking;
}

export function MarkingChoice({ label, name, most, chosen = 'TLP_MARKING_AMBER_STRICT' }: Props) {
  const id = useId();
  const offered = MARKINGS.slice(0, MARKINGS.indexOf(most) + 1);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} name={name} defaultValue={offered.includes(chosen) ? chosen : offered.at(-1)}>
        {offered.map((tlp) => (
          <option key={tlp} value={tlp}>
            {TLP_WORDS[tlp]}
          </option>
        ))}
      </select>
    </div>
  );
}
