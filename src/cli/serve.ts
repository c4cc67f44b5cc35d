// `tis serve`: the service in the foreground.

import { Command } from 'commander';
import type { Config } from '../config.ts';
import { ServiceError } from '../domain/errors.ts';
import { type Service, startService } from '../service/service.ts';
import { ensureWebFiles } from '../service/web-files.ts';
import { configOf, withServerSettings } from './settings.ts';
import { CommandFailure, printLine, printMessage, untilStopped } from './terminal.ts';
import { firstWelcome, welcomeLines } from './welcome.ts';

export function serveCommand(): Command {
  return withServerSettings(new Command('serve'))
    .description('answer REST and TAXII requests and process queued indicators')
    .action(async (_options: unknown, command: Command) => {
      const config = configOf(command);
      // Signals count from before the line below: whoever reads it may stop the service at once.
      const signal = untilStopped();
      const service = await listen(config);
      printLine(`Threat Indicator Service at ${service.url} (data in ${config.dataDir})`);
      const welcome = await firstWelcome(service.stores, config.publicUrl ?? service.url);
      if (welcome !== undefined) {
        for (const line of welcomeLines(welcome)) printLine(line);
        printLine(`A new link: npx tis users reset ${welcome.person.login} --data-dir ${config.dataDir}`);
      }
      await runUntilStopped(service, signal);
    });
}

/** Starts the service. The common obstacles are reported in one line each. */
export async function listen(config: Config): Promise<Service> {
  try {
    const [service] = await Promise.all([startService(config), buildPages()]);
    return service;
  } catch (error) {
    const { code, port } = error as { code?: unknown; port?: unknown };
    const flag = port === config.adminPort ? '--admin-port' : '--port';
    if (code === 'EADDRINUSE')
      throw new CommandFailure(`port ${port} is in use; choose another with ${flag}`);
    if (code === 'EACCES') throw new CommandFailure(`port ${port} may not be used by this user`);
    if (code === 'EADDRNOTAVAIL')
      throw new CommandFailure(`${config.host} is not an address of this machine`);
    throw error;
  }
}

/** The service runs without its pages too. */
async function buildPages(): Promise<void> {
  const build = await ensureWebFiles();
  if (build.kind === 'built') printLine(`web application built in ${build.seconds.toFixed(1)} s`);
  if (build.kind === 'failed') printMessage(`tis: the web application was not built: ${build.reason}`);
}

/**
 * Runs until SIGINT, SIGTERM or the death of a thread.
 * @param signal of `untilStopped`, made before the start.
 */
export async function runUntilStopped(service: Service, signal: AbortSignal): Promise<void> {
  const stopped = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined));
  });
  const failure = await Promise.race([stopped, service.failed]);
  const finished = await service.stop();
  if (failure !== undefined) throw failure;
  if (!finished) {
    throw new ServiceError('aborted', 'stopped by force; acknowledged events are kept', {
      reason: 'STOPPED',
    });
  }
}
