// A TLP 2.0 marking in the colours of FIRST: https://www.first.org/tlp/.

import type { TlpMarking } from '../api/contract.ts';
import { TLP_WORDS } from '../text/words.ts';
import './chips.css';

export function TlpChip({ tlp }: { readonly tlp: TlpMarking }) {
  const name = tlp.slice('TLP_MARKING_'.length).toLowerCase().replace('_', '-');
  return <span className={`tlp tlp-${name}`}>{TLP_WORDS[tlp] ?? tlp}</span>;
}
