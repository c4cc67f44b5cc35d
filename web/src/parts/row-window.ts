// Which rows of a long table are on the screen, so that only those are in the document. All rows have one height.

import { type RefObject, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';

export interface RowWindow {
  /** Index of the first row to show. */
  readonly first: number;
  /** Index behind the last row to show. */
  readonly end: number;
  /** Pixels of the rows before and behind. */
  readonly before: number;
  readonly after: number;
}

/** Rows beyond the edges, so that the next one can take the focus and a fast finger sees no gap. */
const BEYOND = 12;
/** The window moves in steps, not with every row. */
const STEP = 8;

/**
 * @param frame the element that scrolls.
 * @param size height of a row in pixels.
 * @param top where to begin, in pixels.
 */
export function useRowWindow(
  frame: RefObject<HTMLElement | null>,
  count: number,
  size: number,
  top = 0,
): RowWindow {
  const [start, setStart] = useState(Math.floor(top / size / STEP) * STEP);
  const [height, setHeight] = useState(innerHeight);

  useLayoutEffect(() => {
    const element = frame.current;
    if (element === null) return;
    const follow = () => setStart(Math.floor(element.scrollTop / size / STEP) * STEP);
    // At once: a later frame would show a gap first.
    const onScroll = () => flushSync(follow);
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    follow();
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [frame, size]);

  const first = Math.max(0, Math.min(start, count) - BEYOND);
  const end = Math.min(count, start + Math.ceil(height / size) + STEP + BEYOND);
  return { first, end, before: first * size, after: (count - end) * size };
}
