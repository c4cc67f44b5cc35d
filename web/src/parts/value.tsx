// The value of an indicator: defanged, and never a link to where it points.

import type { IndicatorType } from '../api/contract.ts';
import { PARTS } from '../text/parts.ts';
import { defang } from './defang.ts';
import { visibleText } from './hostile-text.ts';
import { HostileText, Mark } from './hostile-text.tsx';
import { hiddenLetters } from './scripts-of-text.ts';

interface Props {
  readonly type: IndicatorType;
  readonly value: string;
  readonly limit?: number;
  readonly brief?: boolean;
}

export function Value({ type, value, limit = 160, brief = false }: Props) {
  const host = hostOf(type, value);
  const hidden = host === undefined ? undefined : hiddenLetters(host);
  return (
    <span className="value">
      <HostileText text={defang(type, value)} limit={limit} brief={brief} />
      {hidden && <Mark text={PARTS.hiddenLetters(visibleText(hidden.domain), hidden.scripts)} />}
    </span>
  );
}

function hostOf(type: IndicatorType, value: string): string | undefined {
  if (type === 'INDICATOR_TYPE_DOMAIN') return value;
  if (type === 'INDICATOR_TYPE_EMAIL') return value.slice(value.lastIndexOf('@') + 1);
  if (type === 'INDICATOR_TYPE_URL') return /:\/\/(?:[^/?#@]*@)?([^/?#:]*)/.exec(value)?.[1];
  return undefined;
}
