// The command line: `tis COMMAND`.

import { Command, CommanderError } from 'commander';
import { loadCommands } from './cli/commands.ts';
import { CliError } from './cli/terminal.ts';
import { ConfigError } from './config.ts';
import { ServiceError } from './domain/errors.ts';

/**
 * Runs one command.
 * @param argv the words after the program's name.
 * @returns the exit code: 0 done, 1 failed, 2 called wrongly.
 */
export async function main(argv: readonly string[]): Promise<number> {
  const program = new Command('tis')
    .description('Threat Indicator Service: sensor events in, REST search and a TAXII 2.1 feed out.')
    .showHelpAfterError('(tis COMMAND --help tells what a command takes)');
  for (const command of await loadCommands(argv)) program.addCommand(command);
  throwInsteadOfExiting(program);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return 0;
  } catch (error) {
    return report(error);
  }
}

/** Commander applies its settings only to commands that it makes itself. */
function throwInsteadOfExiting(command: Command): void {
  command.exitOverride();
  command.commands.forEach(throwInsteadOfExiting);
}

function report(error: unknown): number {
  // Commander has printed its own message. `--help` is not a failure.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof CliError || error instanceof ConfigError) {
    process.stderr.write(`${error.message.replace(/^/gm, 'tis: ')}\n`);
    return 2;
  }
  if (error instanceof ServiceError) {
    process.stderr.write(`tis: ${error.message}\n`);
    return 1;
  }
  process.stderr.write(`tis: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return 1;
}
