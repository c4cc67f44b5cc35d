// A value that follows another one once it has rested.

import { useEffect, useState } from 'react';

/** @param restMs milliseconds. 0 follows at once. */
export function useSettled<Value>(value: Value, restMs: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    if (Object.is(value, settled)) return;
    if (restMs === 0) return setSettled(value);
    const timer = setTimeout(() => setSettled(value), restMs);
    return () => clearTimeout(timer);
  }, [value, settled, restMs]);
  return settled;
}
