// Shows text that an attacker may have written. It stays text, and nothing in it is invisible.

import { useState } from 'react';
import { PARTS } from '../text/parts.ts';
import { cutText, piecesOf } from './hostile-text.ts';
import { mixedScripts } from './scripts-of-text.ts';
import './hostile-text.css';

interface Props {
  readonly text: string;
  /** Characters before the cut. */
  readonly limit?: number;
  /** Line breaks are shown as such. */
  readonly lines?: boolean;
  /** Without a button to see all: in rows and chips, where another page shows the whole. */
  readonly brief?: boolean;
}

export function HostileText({ text, limit = 200, lines = false, brief = false }: Props) {
  const [whole, setWhole] = useState(false);
  const shown = whole ? { text, isCut: false } : cutText(text, limit);
  const scripts = mixedScripts(shown.text);
  return (
    <span className="hostile">
      <bdi dir="ltr" className={lines ? 'hostile-lines' : undefined}>
        <Pieces text={shown.text} lines={lines} />
        {shown.isCut && '…'}
      </bdi>
      {scripts && <Mark text={PARTS.mixedScripts(scripts)} />}
      {shown.isCut && !brief && (
        <button type="button" className="button plain small" onClick={() => setWhole(true)}>
          {PARTS.showAll(text.length)}
        </button>
      )}
    </span>
  );
}

export function Pieces({ text, lines = false }: { readonly text: string; readonly lines?: boolean }) {
  let at = 0;
  return piecesOf(text, lines).map((piece) => {
    const key = at;
    at += piece.text.length;
    if (piece.kind === 'text') return piece.text;
    return (
      <span
        key={key}
        className={`hostile-${piece.kind}`}
        title={piece.kind === 'escape' ? PARTS.unseen : undefined}
      >
        {piece.text}
      </span>
    );
  });
}

/** A warning about the letters of a text. */
export function Mark({ text }: { readonly text: string }) {
  return <span className="hostile-mark">{text}</span>;
}
