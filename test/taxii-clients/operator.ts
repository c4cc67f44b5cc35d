// An operator who gives values another marking while clients read: some readers lose them, and others gain them.

import { CEILINGS } from '../../src/domain/audience.ts';
import type { TlpMarking } from '../../src/domain/vocabulary.ts';
import type { MarkedValues } from './marked-values.ts';
import type { ServiceUnderFire } from './service-under-fire.ts';

export class Operator {
  readonly #service: ServiceUnderFire;
  readonly #values: MarkedValues;
  readonly #random: () => number;
  #marks = 0;

  constructor(service: ServiceUnderFire, values: MarkedValues, random: () => number) {
    this.#service = service;
    this.#values = values;
    this.#random = random;
  }

  /** Raises a value, lowers a value, marks a value again, and raises or lowers one that many report, in turn. */
  async mark(): Promise<void> {
    const turn = this.#marks % 4;
    this.#marks += 1;
    const { singles, marked, shared } = this.#values;
    // The older ones are published already.
    const older = singles.slice(0, Math.ceil(singles.length / 2));
    if (turn === 0) await this.#give(older, (now, next) => now < next);
    else if (turn === 1) await this.#give(older, (now, next) => next < now);
    else if (turn === 2) await this.#give(marked, (now, next) => next !== now);
    else await this.#give(shared, () => true);
  }

  /** @param isFit of the ceilings' numbers before and after. */
  async #give(values: readonly string[], isFit: (now: number, next: number) => boolean): Promise<void> {
    const choices = values.flatMap((value) => {
      const now = CEILINGS.indexOf(this.#values.markingOf(value));
      return CEILINGS.filter((_, next) => isFit(now, next)).map((tlp) => ({ value, tlp }));
    });
    const choice = choices[Math.floor(this.#random() * choices.length)];
    if (choice !== undefined) await this.#mark(choice.value, choice.tlp);
  }

  async #mark(value: string, tlp: TlpMarking): Promise<void> {
    this.#values.mark(value, tlp);
    await this.#service.mark(value, tlp);
  }
}
