// Damage of the store while the service runs. Each thread notices the damage of the file that it uses; here it becomes
// known to all of them, to the operator and to /readyz.

import type { Damage, Soundness } from '../store/damage.ts';
import type { Log } from '../telemetry/log.ts';
import type { Heartbeat } from './heartbeat.ts';

/** How often the files are looked at. Writers look after each commit, too. Milliseconds. */
const LOOK_EVERY = 1_000;

export interface WatchedThread {
  readonly heartbeat: () => Heartbeat;
  readonly condemn: (damage: Damage) => void;
}

export interface DamageWatch {
  /** Looks at the files, and gives what is known to be wrong: at most one damage for each file. */
  readonly damages: () => readonly Damage[];
  /** Takes damage that an inspection has found. */
  readonly condemn: (damage: Damage) => void;
  readonly stop: () => void;
}

/** @param stores what this thread has opened. */
export function watchDamage(
  stores: readonly Soundness[],
  threads: readonly WatchedThread[],
  log: Log,
): DamageWatch {
  const known = new Map<string, Damage>();
  const condemn = (damage: Damage) => {
    if (known.has(damage.file)) return;
    known.set(damage.file, damage);
    const { file, problem, diagnosis } = damage;
    log.fatal({ file, problem, diagnosis }, 'the store is damaged: nothing is answered from it any more');
    for (const user of [...stores, ...threads]) user.condemn(damage);
  };
  const damages = () => {
    for (const store of stores) note(store.findDamage());
    for (const thread of threads) note(thread.heartbeat().damage);
    return [...known.values()];
  };
  const note = (damage: Damage | undefined) => {
    if (damage !== undefined) condemn(damage);
  };
  const timer = setInterval(damages, LOOK_EVERY);
  return { damages, condemn, stop: () => clearInterval(timer) };
}
