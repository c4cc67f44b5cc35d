// An instant: how long ago, with the exact time in UTC at hand.

import { PARTS } from '../text/parts.ts';
import { useNow } from './clock.ts';
import { absoluteTime, relativeTime } from './relative-time.ts';

interface Props {
  /** RFC 3339. Left out: never. */
  readonly at: string | undefined;
  /** Shows the exact time instead. */
  readonly exact?: boolean;
}

export function Time({ at, exact = false }: Props) {
  const now = useNow();
  if (at === undefined || Number.isNaN(Date.parse(at))) return <span className="soft">{PARTS.never}</span>;
  const absolute = absoluteTime(at);
  return (
    <time dateTime={at} title={absolute}>
      {exact ? absolute : relativeTime(at, now)}
    </time>
  );
}
