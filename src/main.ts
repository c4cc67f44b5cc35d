// The command line: `tis COMMAND`.

import { Command, CommanderError } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { loadCommands } from './cli/commands.ts';
import { CliError, CommandFailure, printMessage, printMessages, printText } from './cli/terminal.ts';
import { ServiceError } from './domain/errors.ts';
import { ConfigError } from './variables.ts';

/**
 * Runs one command.
 * @param argv the words after the program's name.
 * @returns the exit code (docs/commands.md): 0 done, 1 failed, 2 called wrongly.
 */
export async function main(argv: readonly string[]): Promise<number> {
  const program = new Command('tis')
    .description('Threat Indicator Service: sensor events in, REST search and a TAXII 2.1 feed out.')
    .version(manifest.version, '-V, --version', 'print the version')
    .showHelpAfterError('(tis COMMAND --help tells what a command takes)');
  let wantedHelp = false;
  program.addHelpText('afterAll', ({ error }) => {
    wantedHelp = !error;
    return '';
  });
  for (const command of await loadCommands(argv)) program.addCommand(command);
  connect(program);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return 0;
  } catch (error) {
    return wantedHelp ? 0 : report(error);
  }
}

/** Lets a command throw instead of exiting, and print as all others do. Commander hands settings only to commands of its own. */
function connect(command: Command): void {
  command.exitOverride().configureOutput({
    writeOut: printText,
    writeErr: printMessages,
    // The message repeats a word of the call, and such a word must not begin a line. Only a hint has a line of its own.
    outputError: (message) => {
      for (const line of message.trimEnd().split(/\n(?=\(Did you mean )/)) printMessage(line);
    },
  });
  command.commands.forEach(connect);
}

function report(error: unknown): number {
  // Commander has printed its own message. `--version` is not a failure.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof CliError || error instanceof ConfigError) {
    for (const fault of error.faults) printMessage(`tis: ${fault}`);
    return 2;
  }
  if (error instanceof ServiceError) {
    printMessage(`tis: ${error.details.diagnosis ?? error.message}`);
    return 1;
  }
  if (error instanceof CommandFailure) {
    printMessage(`tis: ${error.message}`);
    return 1;
  }
  printMessages(`tis: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return 1;
}
