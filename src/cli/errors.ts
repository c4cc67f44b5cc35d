// A command called in a way it cannot follow.

/** The message is shown after `tis: `; one line per fault. */
export class CliError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CliError';
  }
}
