// Logistic regression over present or absent features, trained with Adagrad.

/** A name that is known to be bad or good. */
export interface Example {
  /** Numbers of the features that it has. */
  readonly features: ArrayLike<number>;
  readonly isBad: boolean;
  /** How much it counts. */
  readonly weight: number;
}

export interface Weights {
  readonly bias: number;
  readonly features: Float32Array;
}

const PASSES = 3;
const RATE = 0.1;
/** Where the sums of squares begin, so that the first steps are bounded. */
const FIRST_SQUARE = 1e-3;

/** The same examples in the same order give the same weights. */
export function trainLogistic(examples: readonly Example[], featureCount: number): Weights {
  const features = new Float32Array(featureCount);
  const squares = new Float32Array(featureCount).fill(FIRST_SQUARE);
  let bias = 0;
  let biasSquare = FIRST_SQUARE;
  const order = Uint32Array.from(examples, (_, index) => index);
  const random = seeded(1);
  for (let pass = 0; pass < PASSES; pass++) {
    shuffle(order, random);
    for (const index of order) {
      const example = examples[index] as Example;
      const target = example.isBad ? 1 : 0;
      const step = example.weight * (probabilityOf(logOdds({ bias, features }, example.features)) - target);
      const square = step * step;
      for (let at = 0; at < example.features.length; at++) {
        const feature = example.features[at] as number;
        const sum = (squares[feature] as number) + square;
        squares[feature] = sum;
        features[feature] = (features[feature] as number) - (RATE * step) / Math.sqrt(sum);
      }
      biasSquare += square;
      bias -= (RATE * step) / Math.sqrt(biasSquare);
    }
  }
  return { bias, features };
}

function logOdds({ bias, features }: Weights, present: ArrayLike<number>): number {
  let sum = bias;
  for (let at = 0; at < present.length; at++) sum += features[present[at] as number] ?? 0;
  return sum;
}

export function probabilityOf(odds: number): number {
  return 1 / (1 + Math.exp(-odds));
}

function shuffle(order: Uint32Array, random: () => number): void {
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    const kept = order[last] as number;
    order[last] = order[other] as number;
    order[other] = kept;
  }
}

/** Numbers in [0, 1), the same for the same seed (a linear congruential generator). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
}
