// The server side of the web application: `/auth` for signing in.

import type { FastifyInstance } from 'fastify';
import type { Admit } from '../../gateway/admit.ts';
import type { SiteOf } from '../../gateway/site.ts';
import type { SessionCommands } from '../../identity/session-commands.ts';
import type { Stores } from '../../store/stores.ts';
import { createSessionRequests } from './session-requests.ts';
import { registerSignIn } from './sign-in.ts';

export interface WebDeps {
  readonly admit: Admit;
  readonly siteOf: SiteOf;
  readonly stores: Pick<Stores, 'people' | 'sessions' | 'links'>;
  readonly commands: SessionCommands;
}

export function registerWeb(app: FastifyInstance, { admit, siteOf, stores, commands }: WebDeps): void {
  const requests = createSessionRequests({ admit, siteOf, sessions: stores.sessions });
  registerSignIn(app, { requests, stores, commands });
}
