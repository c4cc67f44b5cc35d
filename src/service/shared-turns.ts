// Turns at work with a body, for all threads that answer HTTP: the first one grants them, the others ask it.

import type { WorkTurns } from '../api/http/work-turns.ts';

/** What the thread that grants the turns carries out for one other thread. A ticket is a number that the other one chose. */
export function createTurnCalls(turns: WorkTurns) {
  const leaving = new Map<number, () => void>();
  const ending = new Map<number, () => void>();
  return {
    /** Resolves when it is the turn of the ticket. Rejects as `run` does. */
    takeTurn: (ticket: number, caller: string, bytes: number): Promise<void> =>
      new Promise((resolve, reject) => {
        const onGone = (gone: () => void) => leaving.set(ticket, gone);
        const hold = () => {
          leaving.delete(ticket);
          resolve();
          return new Promise<void>((end) => ending.set(ticket, end));
        };
        turns.run({ caller, bytes, onGone }, hold).catch((error: unknown) => {
          leaving.delete(ticket);
          reject(error);
        });
      }),
    /** The client has gone. Without effect once it is its turn. */
    leaveTurn: async (ticket: number): Promise<void> => leaving.get(ticket)?.(),
    endTurn: async (ticket: number): Promise<void> => {
      ending.get(ticket)?.();
      ending.delete(ticket);
    },
  };
}

export type TurnCalls = ReturnType<typeof createTurnCalls>;

/** The turns as the other thread takes them. */
export function askForTurns({ takeTurn, leaveTurn, endTurn }: TurnCalls): WorkTurns {
  let tickets = 0;
  return {
    run: async ({ caller, bytes, onGone }, work) => {
      tickets += 1;
      const ticket = tickets;
      const taken = takeTurn(ticket, caller, bytes);
      // These fail only when the first thread has ended, and with it the service.
      onGone(() => void leaveTurn(ticket).catch(() => undefined));
      await taken;
      try {
        return await work();
      } finally {
        endTurn(ticket).catch(() => undefined);
      }
    },
  };
}
