// Lines of the same turn of the event loop leave in one write: at thousands of requests a second the system calls cost
// more than the lines.

/** More than this is not held back. */
const LIMIT = 65_536;

/**
 * @param write takes text that ends with a line break.
 * @returns takes a line; one that is urgent leaves at once, with all before it.
 */
export function createLineWriter(write: (text: string) => void): (line: string, urgent: boolean) => void {
  let held = '';
  const flush = () => {
    const text = held;
    held = '';
    if (text !== '') write(text);
  };
  return (line, urgent) => {
    // Not unref'd: a process that has nothing else to do still writes it.
    if (held === '' && !urgent) setImmediate(flush);
    held += line;
    if (urgent || held.length > LIMIT) flush();
  };
}
