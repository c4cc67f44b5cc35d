// Commands and documents to copy.

import { CopyButton } from './copy-button.tsx';
import { Pieces } from './hostile-text.tsx';
import './code.css';

interface Props {
  readonly text: string;
  /** Names the block, and what its button copies. */
  readonly label: string;
}

export function Code({ text, label }: Props) {
  return (
    <figure className="code" aria-label={label}>
      <pre tabIndex={0}>
        <Pieces text={text} lines />
      </pre>
      <CopyButton text={text} label={`Copy ${label}`} />
    </figure>
  );
}
