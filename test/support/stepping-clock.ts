// A clock for service processes that the test steps: a module that Node loads before the program reads the offset from a
// file. The program itself has no such switch.

import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class SteppingClock {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tis-clock-'));
  readonly #file = join(this.#folder, 'offset');
  readonly #descriptor = openSync(this.#file, 'w');
  #offset = 0;

  constructor() {
    this.set(0);
  }

  /** Arguments of Node for every process that shows this clock. Its threads inherit them. */
  get nodeArguments(): readonly string[] {
    const module = `import { openSync, readSync } from 'node:fs';
      const file = openSync(${JSON.stringify(this.#file)});
      const offset = new Float64Array(1);
      const now = Date.now;
      Date.now = () => (readSync(file, offset, 0, 8, 0), now() + offset[0]);`;
    return ['--import', `data:text/javascript,${encodeURIComponent(module)}`];
  }

  /** What the clock shows. */
  get now(): number {
    return Date.now() + this.#offset;
  }

  /** Shows the real time and `offset` milliseconds from now on. */
  set(offset: number): void {
    this.#offset = offset;
    // In place: a reader must never find the file empty.
    writeSync(this.#descriptor, new Float64Array([offset]), 0, 8, 0);
  }

  dispose(): void {
    closeSync(this.#descriptor);
    rmSync(this.#folder, { recursive: true });
  }
}
