// Copies a text, and says so.

import { type ReactNode, useState } from 'react';
import { PARTS } from '../text/parts.ts';
import { showToast } from './toasts.ts';

interface Props {
  /** What is copied, or how to make it. */
  readonly text: string | (() => string);
  /** Names what is copied, for screen readers. */
  readonly label?: string;
  readonly children?: ReactNode;
  readonly className?: string;
}

export function CopyButton({ text, label, children, className = 'button small' }: Props) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    const done = await copyText(typeof text === 'string' ? text : text());
    setCopied(done);
    showToast(done ? PARTS.copied : PARTS.copyFailed, done ? 'good' : 'bad');
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <button type="button" className={className} aria-label={label} onClick={() => void copy()}>
      {copied ? PARTS.copied : (children ?? PARTS.copy)}
    </button>
  );
}

/** Browsers offer the clipboard over HTTPS and on this machine only. Elsewhere an old command still works. */
async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard !== undefined) {
      await navigator.clipboard.writeText(text);
      return true;
    }
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  } catch {
    return false;
  }
}
