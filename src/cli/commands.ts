// The commands of `tis`, in the order of `tis --help`. A command is loaded when it is called, so that a short one does not
// pay for the others.

import type { Command } from 'commander';

type LoadCommand = () => Promise<Command>;

const COMMANDS: ReadonlyMap<string, LoadCommand> = new Map<string, LoadCommand>([
  ['serve', async () => (await import('./serve.ts')).serveCommand()],
  ['work', async () => (await import('./work.ts')).workCommand()],
  ['ingest', async () => (await import('./ingest/ingest.ts')).ingestCommand()],
  ['keys', async () => (await import('./keys.ts')).keysCommand()],
  ['users', async () => (await import('./users.ts')).usersCommand()],
  ['clients', async () => (await import('./clients.ts')).clientsCommand()],
  ['usage', async () => (await import('./usage.ts')).usageCommand()],
  ['audit', async () => (await import('./audit.ts')).auditCommand()],
  ['lookup', async () => (await import('./lookup.ts')).lookupCommand()],
  ['explain', async () => (await import('./explain.ts')).explainCommand()],
  ['verify', async () => (await import('./judge.ts')).verifyCommand()],
  ['dispute', async () => (await import('./judge.ts')).disputeCommand()],
  ['note', async () => (await import('./judge.ts')).noteCommand()],
  ['jobs', async () => (await import('./jobs.ts')).jobsCommand()],
  ['indicators', async () => (await import('./indicators.ts')).indicatorsCommand()],
  ['data', async () => (await import('./data/data.ts')).dataCommand()],
  ['model', async () => (await import('./model.ts')).modelCommand()],
  ['compact', async () => (await import('./compact.ts')).compactCommand()],
  ['prune', async () => (await import('./prune.ts')).pruneCommand()],
  ['archive', async () => (await import('./archive.ts')).archiveCommand()],
  ['backup', async () => (await import('./backup.ts')).backupCommand()],
  ['restore', async () => (await import('./restore.ts')).restoreCommand()],
  ['check', async () => (await import('./check.ts')).checkCommand()],
  ['migrate', async () => (await import('./migrate.ts')).migrateCommand()],
  ['clock', async () => (await import('./clock.ts')).clockCommand()],
  ['demo', async () => (await import('./demo.ts')).demoCommand()],
]);

/**
 * Loads the command that is called. If the first word is not a command, as in `tis --help` or after a typing error, all
 * commands are loaded: the answer lists them or names the nearest one.
 */
export async function loadCommands([name = '']: readonly string[]): Promise<Command[]> {
  const load = COMMANDS.get(name);
  return load === undefined ? Promise.all([...COMMANDS.values()].map((load) => load())) : [await load()];
}
