// The sensors: when each was last heard of, and how much it reports.

import type { LiveFigures, LiveSensor } from '../../api/live.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { HostileText } from '../../parts/hostile-text.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { LIVE } from '../../text/live.ts';
import { SENSOR_WORDS } from '../../text/words.ts';

type State = keyof typeof LIVE.states;

const ACTIVE_MS = 5 * 60_000;
const SILENT_MS = 60 * 60_000;

export function Sensors({ figures: { at, sensors, moreSensors } }: { readonly figures: LiveFigures }) {
  const now = Date.parse(at);
  const silent = sensors.filter((sensor) => stateOf(sensor, now) === 'silent').length;
  const accounts = new Set(sensors.map(({ account }) => account));
  const columns: readonly Column<LiveSensor>[] = [
    {
      key: 'sensor',
      title: LIVE.sensor,
      cell: ({ sensor }) => <HostileText text={sensor} limit={60} brief />,
    },
    {
      key: 'state',
      title: LIVE.state,
      cell: (sensor) => {
        const state = stateOf(sensor, now);
        return <span className={`live-sensor live-sensor-${state}`}>{LIVE.states[state]}</span>;
      },
    },
    { key: 'last', title: LIVE.lastEvent, cell: ({ lastEventTime }) => <Time at={lastEventTime} /> },
    { key: 'rate', title: LIVE.rate, end: true, cell: ({ eventsPerMinute }) => rateText(eventsPerMinute) },
    { key: 'kind', title: LIVE.kind, cell: ({ sensorType }) => kindName(sensorType) },
    {
      key: 'reporter',
      title: LIVE.reporter,
      cell: ({ title }) => <HostileText text={title} limit={60} brief />,
    },
    ...(accounts.size < 2
      ? []
      : [
          {
            key: 'account',
            title: LIVE.account,
            cell: ({ account }: LiveSensor) => <HostileText text={account} limit={40} brief />,
          },
        ]),
  ];
  return (
    <section className="live-sensors" aria-labelledby="live-sensors">
      <h2 id="live-sensors">{LIVE.sensors}</h2>
      {sensors.length === 0 ? (
        <EmptyState title={LIVE.noSensors}>{LIVE.noSensorsHint}</EmptyState>
      ) : (
        <>
          <p className="soft">
            {LIVE.sensorsSummary(sensors.length, silent)} {moreSensors && LIVE.moreSensors}
          </p>
          <div className="live-rows">
            <Table
              caption={LIVE.sensors}
              columns={columns}
              rows={sensors}
              rowKey={({ account, title, sensor }) => JSON.stringify([account, title, sensor])}
            />
          </div>
        </>
      )}
    </section>
  );
}

function stateOf({ lastEventTime }: LiveSensor, now: number): State {
  const silentFor = now - Date.parse(lastEventTime);
  if (silentFor < ACTIVE_MS) return 'active';
  return silentFor < SILENT_MS ? 'quiet' : 'silent';
}

function rateText(rate: number): string {
  return rate < 0.05 ? '0' : rate.toLocaleString('en', { maximumFractionDigits: 1 });
}

function kindName(sensorType: string): string {
  const name = `SENSOR_TYPE_${sensorType}`;
  return name in SENSOR_WORDS ? SENSOR_WORDS[name as keyof typeof SENSOR_WORDS] : sensorType;
}
