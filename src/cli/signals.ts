// SIGINT and SIGTERM as an AbortSignal: the first asks for a graceful end, a second one ends at once.

export function untilStopped(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      controller.abort();
      process.once(signal, () => process.kill(process.pid, 'SIGKILL'));
    });
  }
  return controller.signal;
}
