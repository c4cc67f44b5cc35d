// The bytes of answers that clients have not accepted yet. A caller with too many of them is refused before an answer is
// made.

import type { FastifyInstance, FastifyReply } from 'fastify';
import { type AwaitPageTurn, createPageTurns } from './page-turns.ts';
import type { Reservation, Room } from './room.ts';

const BOUNDS = Symbol('bounds of answers');
const HELD = Symbol('bytes of the answer');

interface Bounds {
  readonly room: Room;
  readonly awaitTurn: AwaitPageTurn;
}
type Bounded = FastifyInstance & { [BOUNDS]?: Bounds };
type Holding = FastifyReply & { [HELD]?: Reservation };

/** Smaller answers are not counted: all connections together have room for them. */
const COUNTED_FROM = 4_096;

/** Bounds the answers of all routes of this server. */
export function boundAnswers(app: FastifyInstance, room: Room): void {
  (app as Bounded)[BOUNDS] = { room, awaitTurn: createPageTurns() };
}

/**
 * Waits for the turn of this caller at making a page. Undefined if it is at hand.
 * Throws or rejects with ServiceError `resource_exhausted` or `unavailable` while too many bytes of answers are not
 * accepted.
 */
export function admitPage(reply: FastifyReply, caller: string): Promise<void> | undefined {
  const { [BOUNDS]: bounds } = reply.server as Bounded;
  if (bounds === undefined) return undefined;
  bounds.room.require(caller, COUNTED_FROM);
  return bounds.awaitTurn(caller)?.then(() => bounds.room.require(caller, COUNTED_FROM));
}

/** @throws as `admitPage` rejects. */
export function requireAnswerRoom(reply: FastifyReply, caller: string): void {
  (reply.server as Bounded)[BOUNDS]?.room.require(caller, 0);
}

/** Counts the bytes of an answer from now until it has been sent. A later call changes the number. */
export function holdAnswer(reply: FastifyReply, caller: string | undefined, bytes: number): void {
  const { [HELD]: held } = reply as Holding;
  held?.resize(bytes);
  if (held !== undefined || bytes < COUNTED_FROM || caller === undefined || reply.raw.destroyed) return;
  const reservation = (reply.server as Bounded)[BOUNDS]?.room.hold(caller, bytes);
  if (reservation === undefined) return;
  (reply as Holding)[HELD] = reservation;
  reply.raw.once('close', reservation.release);
}
