// Short messages about what was done. Any part may show one.

export interface ToastMessage {
  readonly id: number;
  readonly text: string;
  readonly kind: 'good' | 'bad';
  /** Such as undo. */
  readonly action?: { readonly text: string; readonly run: () => void } | undefined;
}

const SHOWN_MS = 5_000;
/** An undo needs time to read it. */
const SHOWN_WITH_ACTION_MS = 12_000;
const MOST = 4;

let messages: readonly ToastMessage[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

export function showToast(
  text: string,
  kind: ToastMessage['kind'] = 'good',
  action?: ToastMessage['action'],
): void {
  lastId += 1;
  const id = lastId;
  set([...messages, { id, text, kind, action }].slice(-MOST));
  setTimeout(() => dismissToast(id), action === undefined ? SHOWN_MS : SHOWN_WITH_ACTION_MS);
}

export function dismissToast(id: number): void {
  set(messages.filter((message) => message.id !== id));
}

export function currentToasts(): readonly ToastMessage[] {
  return messages;
}

export function onToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(next: readonly ToastMessage[]): void {
  messages = next;
  for (const listener of listeners) listener();
}
