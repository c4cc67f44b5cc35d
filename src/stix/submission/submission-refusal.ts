// Refusing what somebody sent.

/**
 * Why an object is not taken, for whoever sent it. Thrown, though no Error: a stack says nothing to them, and to capture
 * one costs more than to read a small object, of which an envelope may have thousands.
 */
export class Refusal {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** The beginning of a text that somebody sent, to be told it again. */
export function excerpt(text: string, length: number): string {
  return text.slice(0, length).toWellFormed();
}
