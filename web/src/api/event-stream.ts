// A stream of server-sent events. The browser connects again by itself after a broken connection; what it does not repeat,
// a refused request, is repeated here. A tab that nobody looks at holds no connection: browsers have six for a service.

import { call } from './client.ts';

export interface StreamHandlers {
  /** By the name of the event. */
  readonly events: Readonly<Record<string, (data: unknown) => void>>;
  /** The service ended the stream, and says why. */
  readonly onEnd?: ((data: unknown) => void) | undefined;
  /** The connection is lost, or was refused. It is tried again. */
  readonly onLost?: (() => void) | undefined;
}

/** The pause after a refusal. */
const PAUSE_MS = 5_000;
/** The service sends a heartbeat every 15 seconds. Without one the connection is dead, though the browser may not know. */
const SILENCE_MS = 40_000;

/** @returns a function that ends the stream. */
export function openEventStream(path: string, words: URLSearchParams, handlers: StreamHandlers): () => void {
  let source: EventSource | undefined;
  let lastEventId = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;

  const close = () => {
    clearTimeout(timer);
    clearTimeout(watchdog);
    source?.close();
    source = undefined;
  };
  const again = async () => {
    close();
    // Asks the person to sign in if that is the reason.
    await call('/auth/sessions').catch(() => undefined);
    clearTimeout(timer);
    if (!isOver) timer = setTimeout(open, PAUSE_MS);
  };
  const isAlive = () => {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => {
      handlers.onLost?.();
      close();
      open();
    }, SILENCE_MS);
  };
  const open = () => {
    if (isOver || document.hidden || source !== undefined) return;
    const query = new URLSearchParams(words);
    if (lastEventId !== '') query.set('lastEventId', lastEventId);
    isAlive();
    const opened = new EventSource(query.size === 0 ? path : `${path}?${query}`);
    source = opened;
    const on = (name: string, handle: (data: unknown) => void) =>
      opened.addEventListener(name, (event: MessageEvent<string>) => {
        lastEventId = event.lastEventId;
        isAlive();
        handle(JSON.parse(event.data));
      });
    for (const [name, handle] of Object.entries(handlers.events)) on(name, handle);
    on('heartbeat', () => undefined);
    on('end', (data) => {
      handlers.onEnd?.(data);
      void again();
    });
    opened.addEventListener('error', () => {
      handlers.onLost?.();
      if (opened.readyState === EventSource.CLOSED && opened === source) void again();
    });
  };
  const onVisible = () => (document.hidden ? close() : open());

  document.addEventListener('visibilitychange', onVisible);
  open();
  return () => {
    isOver = true;
    document.removeEventListener('visibilitychange', onVisible);
    close();
  };
}
