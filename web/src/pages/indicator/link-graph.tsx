// The links as a picture: the indicator in the middle, its neighbours around it, theirs in a second circle. The list beside
// it says the same.

import type { IndicatorLink, RelatedIndicator, ThreatIndicator } from '../../api/contract.ts';
import { defang } from '../../parts/defang.ts';
import { cutText, visibleText } from '../../parts/hostile-text.ts';
import { INDICATOR } from '../../text/indicator.ts';

interface Props {
  readonly of: ThreatIndicator;
  readonly indicators: readonly RelatedIndicator[];
  readonly links: readonly IndicatorLink[];
}

interface Point {
  readonly x: number;
  readonly y: number;
}

const WIDTH = 720;
const MIDDLE: Point = { x: WIDTH / 2, y: 150 };
const RADII: readonly Point[] = [
  { x: 0, y: 0 },
  { x: 140, y: 75 },
  { x: 200, y: 130 },
];
/** Labels are drawn for so many of a circle; beyond, they would cover each other. */
const MOST_LABELS = 12;
/** Nodes in one circle. The list has all. */
const MOST_NODES = 40;
const LABEL_LENGTH = 22;
const LABEL_GAP = 13;

export function LinkGraph({ of, indicators, links }: Props) {
  const circles = [1, 2].map((hops) => indicators.filter((one) => one.hops === hops).slice(0, MOST_NODES));
  const places = new Map<string, Point>([[of.id, MIDDLE]]);
  for (const [index, circle] of circles.entries()) {
    const radius = RADII[index + 1] ?? MIDDLE;
    for (const [place, { id }] of circle.entries()) {
      const angle = (2 * Math.PI * (place + 0.5 * index)) / circle.length - Math.PI / 2;
      places.set(id, { x: MIDDLE.x + radius.x * Math.cos(angle), y: MIDDLE.y + radius.y * Math.sin(angle) });
    }
  }
  return (
    <svg className="link-graph" viewBox={`0 0 ${WIDTH} 300`} role="img" aria-label={INDICATOR.linksPicture}>
      {links.map(({ kind, sourceId, targetId }) => {
        const [from, to] = [places.get(sourceId), places.get(targetId)];
        if (from === undefined || to === undefined) return null;
        return (
          <line key={`${kind} ${sourceId} ${targetId}`} x1={from.x} y1={from.y} x2={to.x} y2={to.y}>
            <title>{kind}</title>
          </line>
        );
      })}
      {circles.flatMap((circle) =>
        circle.map((one) => {
          const at = places.get(one.id) ?? MIDDLE;
          return <Node key={one.id} at={at} one={one} isLabelled={circle.length <= MOST_LABELS} />;
        }),
      )}
      <Node at={MIDDLE} one={of} isLabelled isMiddle />
    </svg>
  );
}

interface NodeProps {
  readonly at: Point;
  readonly one: Pick<RelatedIndicator, 'type' | 'value' | 'severity'>;
  readonly isLabelled: boolean;
  readonly isMiddle?: boolean;
}

function Node({ at, one, isLabelled, isMiddle = false }: NodeProps) {
  const text = visibleText(defang(one.type, one.value));
  const severity = one.severity.slice('SEVERITY_'.length).toLowerCase();
  const { text: short, isCut } = cutText(text, LABEL_LENGTH);
  return (
    <g className={`link-node severity-${severity}`}>
      <title>{cutText(text, 300).text}</title>
      <circle cx={at.x} cy={at.y} r={isMiddle ? 9 : 6} />
      {isLabelled && (
        <text
          x={at.x + (isLeft(at) ? -LABEL_GAP : LABEL_GAP)}
          y={at.y + 4}
          textAnchor={isLeft(at) ? 'end' : 'start'}
        >
          {isCut ? `${short}…` : short}
        </text>
      )}
    </g>
  );
}

/** Labels point away from the middle. */
function isLeft({ x }: Point): boolean {
  return x < MIDDLE.x - 1;
}
