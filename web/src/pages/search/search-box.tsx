// The box that takes anything, and the line that says what it was taken for.

import { type KeyboardEvent, useEffect, useRef } from 'react';
import { SEARCH } from '../../text/search.ts';
import { isTooLongForAddress } from './search-query.ts';
import type { Understanding } from './understanding.ts';

/** Lines of a pasted text before the box scrolls. */
const MOST_LINES = 6;

interface Props {
  readonly text: string;
  readonly asText: boolean;
  readonly understanding: Understanding;
  readonly onText: (text: string) => void;
  readonly onAsText: (asText: boolean) => void;
  /** Enter: search at once. */
  readonly onEnter: () => void;
}

export function SearchBox({ text, asText, understanding, onText, onAsText, onEnter }: Props) {
  const box = useRef<HTMLTextAreaElement>(null);
  const lines = Math.min(MOST_LINES, text.split('\n', MOST_LINES).length);
  useEffect(() => {
    // On a desk the box is ready for typing; on a phone the keyboard would hide the page.
    if (matchMedia('(pointer: fine)').matches) box.current?.focus();
  }, []);
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Escape') event.currentTarget.blur();
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onEnter();
  };
  const { kind } = understanding;
  return (
    <search className="search-box">
      <div className="search-field">
        <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
          <path d="M7 2.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9M10.4 10.4L14 14" />
        </svg>
        <textarea
          ref={box}
          data-search-box
          aria-label={SEARCH.box}
          aria-describedby="understood"
          placeholder={SEARCH.placeholder}
          rows={lines}
          value={text}
          maxLength={1_000_000}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {text === '' ? (
          <kbd>/</kbd>
        ) : (
          <button type="button" className="button plain small" onClick={() => onText('')}>
            {SEARCH.clear}
          </button>
        )}
      </div>
      <p id="understood" className="search-understood" aria-live="polite">
        {kind === 'values' ? SEARCH.understood.values(understanding.values.length) : SEARCH.understood[kind]}
        {isTooLongForAddress(text) && <span>{SEARCH.notInAddress}</span>}
        {kind === 'values' && (
          <button type="button" className="link" onClick={() => onAsText(true)}>
            {SEARCH.asText}
          </button>
        )}
        {kind === 'text' && asText && understanding.values.length > 0 && (
          <button type="button" className="link" onClick={() => onAsText(false)}>
            {SEARCH.asValues(understanding.values.length)}
          </button>
        )}
      </p>
    </search>
  );
}
