// The times of a service under clocks that step: none of them steps back, and each errs to its safe side.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAY, HOUR, MINUTE, SECOND } from './instant.ts';
import {
  acceptMachine,
  advanceTimes,
  clockState,
  firstTimes,
  LONGEST_DOUBT,
  laterTimes,
  OFF_TOLERANCE,
  resumeTimes,
  type ServiceTimes,
  STEP_TOLERANCE,
} from './service-times.ts';

const NOW = Date.UTC(2026, 10, 20);
const FIRST = firstTimes(NOW);

/** Runs `ms` in steps of a second, with a machine that shows the true time and `offset`. */
function run(times: ServiceTimes, from: number, ms: number, offset: number): ServiceTimes {
  let now = times;
  for (let at = from + SECOND; at <= from + ms; at += SECOND) {
    now = advanceTimes(now, {
      machine: at + offset,
      elapsed: SECOND,
      credible: now.service + SECOND + STEP_TOLERANCE,
    });
  }
  return now;
}

test('all times follow a steady clock, and a small step forward', () => {
  const later = run(FIRST, NOW, MINUTE, 0);
  assert.deepEqual(later, { ...FIRST, expiry: NOW + MINUTE, service: NOW + MINUTE, memory: NOW + MINUTE });
  const stepped = run(later, NOW + MINUTE, MINUTE, STEP_TOLERANCE);
  assert.equal(stepped.service, NOW + 2 * MINUTE + STEP_TOLERANCE);
  assert.equal(clockState(stepped, stepped.service), 'steady');
});

test('a large step forward ends credentials at once; the service time runs on, and believes the step after a day', () => {
  const hour = run(FIRST, NOW, HOUR, 100 * DAY);
  assert.deepEqual(
    [hour.expiry, hour.service, hour.memory],
    [NOW + 100 * DAY + HOUR, NOW + HOUR, NOW + HOUR],
  );
  assert.equal(clockState(hour, NOW + 100 * DAY + HOUR), 'ahead');
  const day = run(hour, NOW + HOUR, LONGEST_DOUBT, 100 * DAY);
  assert.equal(day.service, NOW + 101 * DAY + HOUR);
  assert.equal(day.doubt, undefined);
  // It does not forget a hundred days for it.
  assert.ok(day.memory < NOW + 2 * DAY);
});

test('a step is believed after as long as it is large, and after an hour at least', () => {
  for (const [step, doubted] of [
    [10 * MINUTE, HOUR],
    [3 * HOUR, 3 * HOUR],
  ] as const) {
    const before = run(FIRST, NOW, doubted - MINUTE, step);
    assert.equal(before.service, NOW + doubted - MINUTE);
    assert.equal(
      run(before, NOW + doubted - MINUTE, 2 * MINUTE, step).service,
      NOW + doubted + MINUTE + step,
    );
  }
});

test('another step begins the doubt anew', () => {
  const first = run(FIRST, NOW, LONGEST_DOUBT / 2, 100 * DAY);
  const second = run(first, NOW + LONGEST_DOUBT / 2, LONGEST_DOUBT - HOUR, 200 * DAY);
  assert.equal(clockState(second, NOW + 200 * DAY), 'ahead');
});

test('a step that is taken back leaves the service time right, and what has ended stays so', () => {
  const stepped = run(FIRST, NOW, HOUR, 100 * DAY);
  const back = run(stepped, NOW + HOUR, HOUR, 0);
  assert.deepEqual([back.service, back.doubt], [NOW + 2 * HOUR, undefined]);
  assert.equal(back.expiry, NOW + 100 * DAY + 1.5 * HOUR, 'half as fast, so that the machine catches up');
  assert.equal(clockState(back, NOW + 2 * HOUR), 'behind');
});

test('after a step back all times run on, half as fast', () => {
  const back = run(FIRST, NOW, HOUR, -DAY);
  assert.deepEqual([back.expiry, back.service, back.memory], Array(3).fill(NOW + HOUR / 2));
  assert.equal(clockState(back, NOW - DAY + HOUR), 'behind');
});

test('a machine that was off for a month starts without a doubt, and forgets late', () => {
  const month = NOW + 31 * DAY;
  const started = resumeTimes(FIRST, month);
  assert.deepEqual([started.service, started.expiry, started.memory], [month, month, NOW]);
  assert.equal(clockState(started, month), 'steady');
  const caughtUp = run(started, month, 4 * DAY, 0);
  assert.equal(caughtUp.memory, month + 4 * DAY);
});

test('a start later than that is a doubt, which a restart does not end', () => {
  const machine = NOW + OFF_TOLERANCE + HOUR;
  const started = resumeTimes(FIRST, machine);
  assert.deepEqual([started.service, clockState(started, machine)], [NOW, 'ahead']);
  const stepped = run(FIRST, NOW, HOUR, 10 * DAY);
  const again = resumeTimes(stepped, NOW + HOUR + 10 * DAY + MINUTE);
  assert.deepEqual([again.service, again.doubt?.since], [NOW + HOUR, stepped.doubt?.since]);
});

test('the operator may accept an earlier and a later time; nothing is forgotten for it', () => {
  for (const machine of [NOW - DAY, NOW + 100 * DAY]) {
    const accepted = acceptMachine(run(FIRST, NOW, MINUTE, 0), machine);
    assert.deepEqual(
      [accepted.expiry, accepted.service, clockState(accepted, machine)],
      [machine, machine, 'steady'],
    );
    assert.ok(accepted.memory <= NOW + MINUTE && accepted.memory <= machine);
    const running = run(FIRST, NOW, HOUR, 0);
    assert.deepEqual(laterTimes(running, accepted), accepted);
    assert.deepEqual(laterTimes(accepted, running), accepted);
  }
});

test('what two threads know together is the later of each', () => {
  const mine = { ...FIRST, expiry: NOW + 5, memory: NOW - 1 };
  const stored = { ...FIRST, service: NOW + 3, doubt: { since: NOW, lead: DAY } };
  assert.deepEqual(laterTimes(mine, stored), {
    generation: 0,
    expiry: NOW + 5,
    service: NOW + 3,
    memory: NOW,
    doubt: { since: NOW, lead: DAY },
  });
  assert.equal(laterTimes({ ...FIRST, service: NOW + 4 }, stored).doubt, undefined);
});

test('whatever the clock shows: no time steps back, and service and memory keep their bounds', () => {
  const step = fc.record({
    offset: fc.integer({ min: -400 * DAY, max: 400 * DAY }),
    elapsed: fc.integer({ min: 0, max: HOUR }),
    restart: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let times = FIRST;
      let at = NOW;
      for (const { offset, elapsed, restart } of steps) {
        const before = times;
        at += elapsed;
        const machine = at + offset;
        times = restart
          ? resumeTimes(times, machine)
          : advanceTimes(times, { machine, elapsed, credible: times.service + elapsed + STEP_TOLERANCE });
        for (const name of ['expiry', 'service', 'memory'] as const)
          assert.ok(times[name] >= before[name], name);
        assert.ok(times.expiry >= machine && times.expiry >= times.service);
        assert.ok(times.memory <= times.service);
        assert.ok(times.memory <= before.memory + elapsed * 10);
        const gained = times.service - before.service - elapsed;
        if (restart) assert.ok(gained <= OFF_TOLERANCE);
        else if (before.doubt === undefined) assert.ok(gained <= STEP_TOLERANCE);
      }
    }),
  );
});
