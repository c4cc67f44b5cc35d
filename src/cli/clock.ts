// `tis clock`: the times of the service beside the clock of the machine, and the acceptance of that clock.

import { Command } from 'commander';
import { toRfc3339 } from '../domain/instant.ts';
import { acceptClock, type ClockReport, openClock } from '../service/clock.ts';
import { withStores } from '../service/stores.ts';
import { configOf, withStoreSettings } from './settings.ts';
import { printJson, printTable } from './terminal.ts';

export function clockCommand(): Command {
  return new Command('clock')
    .description('show the times of the service, and accept the clock of the machine after it stepped')
    .addCommand(show())
    .addCommand(accept());
}

function show(): Command {
  return withStoreSettings(new Command('show'))
    .description('print the clock of the machine and the times of the service')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }, command: Command) => {
      await withStores(configOf(command), async (stores) => {
        print((await openClock(stores)).report(), options.json === true);
      });
    });
}

function accept(): Command {
  return withStoreSettings(new Command('accept'))
    .description('say that the clock of the machine is right; keys whose end lies after its time work again')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }, command: Command) => {
      await withStores(configOf(command), async (stores) => {
        print(await acceptClock(stores), options.json === true);
      });
    });
}

function print({ state, ...instants }: ClockReport, json: boolean): void {
  const { machine, service, expiry, memory } = instants;
  const times = {
    machine: toRfc3339(machine),
    service: toRfc3339(service),
    expiry: toRfc3339(expiry),
    memory: toRfc3339(memory),
  };
  if (json) {
    printJson({ state, ...times });
    return;
  }
  printTable([
    ['time', 'value', 'used for'],
    ['machine', times.machine, `its clock is ${state}`],
    ['service', times.service, 'dates of records and of the feed, use'],
    ['expiry', times.expiry, 'the end of keys and identity tokens'],
    ['memory', times.memory, 'what is forgotten'],
  ]);
}
