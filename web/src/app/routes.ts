// All pages: path, title, and the scope that a page needs. Every page but search is loaded when it is opened.

import { type ComponentType, lazy } from 'react';
import { ServiceError } from '../api/service-error.ts';
import type { Scope } from '../api/session.ts';
import { SearchPage } from '../pages/search/search-page.tsx';
import { SHELL } from '../text/shell.ts';
import { TITLES } from '../text/titles.ts';

export interface PageRoute {
  readonly path: string;
  readonly title: string;
  readonly page: ComponentType;
  /** Without it the page is not in the navigation and says why it is empty. */
  readonly scope?: Scope;
  /** For people who are not signed in, too. */
  readonly open?: boolean;
  /** Letter after `g`, and place in the navigation. */
  readonly key?: string;
}

/** A page that is loaded when it is opened. */
function later(load: () => Promise<ComponentType>): ComponentType {
  return lazy(async () => {
    try {
      return { default: await load() };
    } catch {
      throw new ServiceError(0, { message: SHELL.notLoaded });
    }
  });
}

export const ROUTES: readonly PageRoute[] = [
  { path: '/', title: TITLES.search, page: SearchPage, scope: 'indicators:read', key: 's' },
  {
    path: '/queue',
    title: TITLES.queue,
    page: later(async () => (await import('../pages/queue/queue-page.tsx')).QueuePage),
    scope: 'indicators:read',
    key: 'q',
  },
  {
    path: '/live',
    title: TITLES.live,
    page: later(async () => (await import('../pages/live/live-page.tsx')).LivePage),
    scope: 'indicators:read',
    key: 'l',
  },
  {
    path: '/feed',
    title: TITLES.feed,
    page: later(async () => (await import('../pages/feed/feed-page.tsx')).FeedPage),
    key: 'f',
  },
  {
    path: '/keys',
    title: TITLES.keys,
    page: later(async () => (await import('../pages/keys/keys-page.tsx')).KeysPage),
    scope: 'keys:manage',
    key: 'k',
  },
  {
    path: '/usage',
    title: TITLES.usage,
    page: later(async () => (await import('../pages/usage/usage-page.tsx')).UsagePage),
    scope: 'usage:read',
    key: 'u',
  },
  {
    path: '/admin/:part?',
    title: TITLES.admin,
    page: later(async () => (await import('../pages/admin/admin-page.tsx')).AdminPage),
    scope: 'admin',
    key: 'a',
  },
  {
    path: '/indicators/:id',
    title: TITLES.indicator,
    page: later(async () => (await import('../pages/indicator/indicator-page.tsx')).IndicatorPage),
  },
  {
    path: '/start',
    title: TITLES.start,
    page: later(async () => (await import('../pages/start/start-page.tsx')).StartPage),
  },
  {
    path: '/account',
    title: TITLES.account,
    page: later(async () => (await import('../pages/account/account-page.tsx')).AccountPage),
  },
  {
    path: '/sign-in',
    title: TITLES.signIn,
    page: later(async () => (await import('../pages/sign-in/sign-in-page.tsx')).SignInPage),
    open: true,
  },
  {
    path: '/welcome',
    title: TITLES.welcome,
    page: later(async () => (await import('../pages/welcome/welcome-page.tsx')).WelcomePage),
    open: true,
  },
  {
    path: '/parts',
    title: TITLES.parts,
    page: later(async () => (await import('../pages/parts/parts-page.tsx')).PartsPage),
    open: true,
  },
];

/** Where a route of the navigation leads. */
export function hrefOf({ path }: PageRoute): string {
  return path.replace(/\/:.*$/, '');
}
