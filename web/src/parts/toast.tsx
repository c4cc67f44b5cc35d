// The messages of `showToast`, in a corner. Screen readers read them when they come.

import { useEffect, useRef, useSyncExternalStore } from 'react';
import { PARTS } from '../text/parts.ts';
import { currentToasts, dismissToast, onToasts } from './toasts.ts';
import './toast.css';

export function ToastRegion() {
  const toasts = useSyncExternalStore(onToasts, currentToasts);
  const region = useRef<HTMLDivElement>(null);
  // A popover is above the dialogs that were opened before it.
  useEffect(() => {
    if (region.current?.isConnected !== true) return;
    if (region.current.matches(':popover-open')) region.current.hidePopover();
    if (toasts.length > 0) region.current.showPopover();
  }, [toasts]);
  return (
    <div ref={region} className="toasts" role="status" popover="manual">
      {toasts.map(({ id, text, kind, action }) => (
        <div key={id} className={`toast toast-${kind}`}>
          <span>{text}</span>
          {action && (
            <button
              type="button"
              className="button small"
              onClick={() => {
                dismissToast(id);
                action.run();
              }}
            >
              {action.text}
            </button>
          )}
          <button
            type="button"
            className="button plain small"
            aria-label={PARTS.close}
            onClick={() => dismissToast(id)}
          >
            ×
          </button>
        </div>
      ))}
    </div>
  );
}
