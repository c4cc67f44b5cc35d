// What is wrong with a STIX object or pattern that somebody sent.

/**
 * Thrown, but not an Error. The sender has no use for a stack, and capturing one costs more than reading a small
 * object. One envelope may hold thousands of faulty objects.
 */
export class StixFault {
  /** For the sender. */
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/** The beginning of a text that somebody sent, for a message to the sender. */
export function excerpt(text: string, length: number): string {
  return text.slice(0, length).toWellFormed();
}
