// The Prometheus text format.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Metrics } from './metrics.ts';

test('a counter counts by label values; without labels it starts at 0', async () => {
  const metrics = new Metrics();
  metrics.counter('starts_total', 'Starts.');
  const events = metrics.counter('events_total', 'Events by status.', ['status', 'kind']);
  events.with('accepted', 'a').add();
  events.with('accepted', 'a').add(4);
  events.with('refused', 'b').add();
  assert.equal(
    await metrics.text(),
    `# HELP starts_total Starts.
# TYPE starts_total counter
starts_total 0
# HELP events_total Events by status.
# TYPE events_total counter
events_total{status="accepted",kind="a"} 5
events_total{status="refused",kind="b"} 1
`,
  );
});

test('a histogram has cumulative buckets with inclusive bounds, a sum and a count', async () => {
  const metrics = new Metrics();
  const seconds = metrics.histogram('wait_seconds', 'Waits.', [0.1, 0.5, 1], ['route']).with('/x');
  for (const value of [0.05, 0.1, 0.25, 1, 7]) seconds.observe(value);
  assert.equal(
    await metrics.text(),
    `# HELP wait_seconds Waits.
# TYPE wait_seconds histogram
wait_seconds_bucket{route="/x",le="0.1"} 2
wait_seconds_bucket{route="/x",le="0.5"} 3
wait_seconds_bucket{route="/x",le="1"} 4
wait_seconds_bucket{route="/x",le="+Inf"} 5
wait_seconds_sum{route="/x"} 8.4
wait_seconds_count{route="/x"} 5
`,
  );
});

test('a gauge is read at each scrape and left out if it fails or has no reading', async () => {
  const metrics = new Metrics();
  let value = 1;
  metrics.gauge('depth', 'Depth.', async () => [{ value: value++ }]);
  metrics.gauge('broken', 'Broken.', async () => {
    throw new Error('no store');
  });
  metrics.gauge('empty', 'Empty.', () => []);
  metrics.readCounter('cpu_seconds_total', 'Processor time.', () => [
    { labels: { mode: 'user' }, value: 0.5 },
  ]);
  const rest =
    '# HELP cpu_seconds_total Processor time.\n# TYPE cpu_seconds_total counter\ncpu_seconds_total{mode="user"} 0.5\n';
  assert.equal(await metrics.text(), `# HELP depth Depth.\n# TYPE depth gauge\ndepth 1\n${rest}`);
  assert.equal(await metrics.text(), `# HELP depth Depth.\n# TYPE depth gauge\ndepth 2\n${rest}`);
});

test('line breaks and quotes in labels and help texts are escaped', async () => {
  const metrics = new Metrics();
  metrics.counter('odd_total', 'A \\ and\na line.', ['name']).with('a"b\\c\nd').add();
  assert.equal(
    await metrics.text(),
    '# HELP odd_total A \\\\ and\\na line.\n# TYPE odd_total counter\nodd_total{name="a\\"b\\\\c\\nd"} 1\n',
  );
});
