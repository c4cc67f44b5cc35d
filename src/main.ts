// The command line: `tis COMMAND`. Each command has a file of its own in cli/.

import { Command, CommanderError } from 'commander';
import { auditCommand } from './cli/audit.ts';
import { backupCommand } from './cli/backup.ts';
import { checkCommand } from './cli/check.ts';
import { compactCommand } from './cli/compact.ts';
import { demoCommand } from './cli/demo.ts';
import { CliError } from './cli/errors.ts';
import { explainCommand } from './cli/explain.ts';
import { indicatorsCommand } from './cli/indicators.ts';
import { ingestCommand } from './cli/ingest.ts';
import { jobsCommand } from './cli/jobs.ts';
import { keysCommand } from './cli/keys.ts';
import { migrateCommand } from './cli/migrate.ts';
import { restoreCommand } from './cli/restore.ts';
import { serveCommand } from './cli/serve.ts';
import { usageCommand } from './cli/usage.ts';
import { workCommand } from './cli/work.ts';
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
  for (const command of [
    serveCommand(),
    workCommand(),
    ingestCommand(),
    keysCommand(),
    usageCommand(),
    auditCommand(),
    explainCommand(),
    jobsCommand(),
    indicatorsCommand(),
    compactCommand(),
    backupCommand(),
    restoreCommand(),
    checkCommand(),
    migrateCommand(),
    demoCommand(),
  ]) {
    program.addCommand(command);
  }
  throwInsteadOfExiting(program);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return 0;
  } catch (error) {
    return report(error);
  }
}

/** Commander hands its settings down only to commands that it makes itself. */
function throwInsteadOfExiting(command: Command): void {
  command.exitOverride();
  command.commands.forEach(throwInsteadOfExiting);
}

function report(error: unknown): number {
  // Commander has printed its own message, also for --help, which is no failure.
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
