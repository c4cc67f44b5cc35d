// The columns that the table can have.

import type { ReactNode } from 'react';
import { HostileText } from '../../parts/hostile-text.tsx';
import { isExpired } from '../../parts/relative-time.ts';
import { Score } from '../../parts/score.tsx';
import { Severity } from '../../parts/severity.tsx';
import { Time } from '../../parts/time.tsx';
import { TlpChip } from '../../parts/tlp-chip.tsx';
import { Verdict } from '../../parts/verdict.tsx';
import { COLUMN_TITLES } from '../../text/columns.ts';
import { CATEGORY_WORDS, PROTOCOL_WORDS, SENSOR_WORDS, STATE_WORDS, TYPE_WORDS } from '../../text/words.ts';
import type { Row } from './row.ts';

export interface RowColumn {
  readonly key: string;
  readonly title: string;
  /** Pixels. */
  readonly width: number;
  readonly cell: (row: Row) => ReactNode;
}

const CELLS: Readonly<Record<string, readonly [width: number, cell: (row: Row) => ReactNode]>> = {
  type: [84, ({ type }) => TYPE_WORDS[type] ?? type],
  verdict: [
    132,
    ({ verdict, validUntil }) => <Verdict verdict={verdict} expired={isExpired(validUntil, Date.now())} />,
  ],
  severity: [86, ({ severity }) => <Severity severity={severity} />],
  score: [94, ({ score, state }) => <Score score={score} state={state} />],
  categories: [122, ({ categories }) => categories.map((name) => CATEGORY_WORDS[name] ?? name).join(', ')],
  protocol: [74, ({ protocol }) => (protocol.endsWith('UNSPECIFIED') ? '' : PROTOCOL_WORDS[protocol])],
  intent: [80, ({ intent }) => brief(intent)],
  sensor: [130, ({ sensorType }) => (sensorType.endsWith('UNSPECIFIED') ? '' : SENSOR_WORDS[sensorType])],
  tlp: [156, ({ tlp }) => <TlpChip tlp={tlp} />],
  state: [84, ({ state }) => STATE_WORDS[state] ?? state],
  country: [76, ({ country }) => country],
  network: [180, ({ asn, network }) => asn !== undefined && brief(`AS${asn} ${network}`)],
  families: [150, ({ families }) => brief(families.join(', '))],
  techniques: [150, ({ techniques }) => techniques.join(', ')],
  tags: [180, ({ tags }) => brief(tags.join(', '))],
  sources: [190, ({ sources }) => brief(sources.map(({ name }) => name).join(', '))],
  lastSeen: [82, ({ lastSeen }) => <Time at={lastSeen} />],
  firstSeen: [92, ({ firstSeen }) => <Time at={firstSeen} />],
  validUntil: [96, ({ validUntil }) => validUntil !== undefined && <Time at={validUntil} />],
  created: [80, ({ createdAt }) => <Time at={createdAt} />],
};

/** Without the value, which every table has. */
export const COLUMNS: readonly RowColumn[] = Object.entries(CELLS).map(([key, [width, cell]]) => ({
  key,
  title: COLUMN_TITLES[key] ?? key,
  width,
  cell,
}));

export const USUAL_COLUMNS: readonly string[] = [
  'type',
  'verdict',
  'severity',
  'score',
  'categories',
  'protocol',
  'tlp',
  'lastSeen',
];

function brief(text: string): ReactNode {
  return text !== '' && <HostileText text={text} limit={80} brief />;
}
