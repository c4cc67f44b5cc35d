// All keys of the application.

import { Dialog } from '../parts/dialog.tsx';
import { SHELL } from '../text/shell.ts';
import './shortcut-help.css';

export function ShortcutHelp({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title={SHELL.keyboard} onClose={onClose}>
      <dl className="shortcut-list">
        {SHELL.keys.map(([key, does]) => (
          <div key={key}>
            <dt>{key.split(' ').map((part) => part !== '' && <kbd key={part}>{part}</kbd>)}</dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
