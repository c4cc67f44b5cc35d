// All pages: path, title, and the scope that a page needs. Every page but search is loaded when it is opened.

import { type ComponentType, lazy } from 'react';
import type { Scope } from '../api/session.ts';
import { SearchPage } from '../pages/search/search-page.tsx';
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

export const ROUTES: readonly PageRoute[] = [
  { path: '/', title: TITLES.search, page: SearchPage, scope: 'indicators:read', key: 's' },
  {
    path: '/queue',
    title: TITLES.queue,
    page: lazy(() => import('../pages/queue/queue-page.tsx').then((file) => ({ default: file.QueuePage }))),
    scope: 'indicators:read',
    key: 'q',
  },
  {
    path: '/live',
    title: TITLES.live,
    page: lazy(() => import('../pages/live/live-page.tsx').then((file) => ({ default: file.LivePage }))),
    scope: 'indicators:read',
    key: 'l',
  },
  {
    path: '/feed',
    title: TITLES.feed,
    page: lazy(() => import('../pages/feed/feed-page.tsx').then((file) => ({ default: file.FeedPage }))),
    key: 'f',
  },
  {
    path: '/keys',
    title: TITLES.keys,
    page: lazy(() => import('../pages/keys/keys-page.tsx').then((file) => ({ default: file.KeysPage }))),
    scope: 'keys:manage',
    key: 'k',
  },
  {
    path: '/usage',
    title: TITLES.usage,
    page: lazy(() => import('../pages/usage/usage-page.tsx').then((file) => ({ default: file.UsagePage }))),
    scope: 'usage:read',
    key: 'u',
  },
  {
    path: '/admin/:part?',
    title: TITLES.admin,
    page: lazy(() => import('../pages/admin/admin-page.tsx').then((file) => ({ default: file.AdminPage }))),
    scope: 'admin',
    key: 'a',
  },
  {
    path: '/indicators/:id',
    title: TITLES.indicator,
    page: lazy(() =>
      import('../pages/indicator/indicator-page.tsx').then((file) => ({ default: file.IndicatorPage })),
    ),
  },
  {
    path: '/start',
    title: TITLES.start,
    page: lazy(() => import('../pages/start/start-page.tsx').then((file) => ({ default: file.StartPage }))),
  },
  {
    path: '/account',
    title: TITLES.account,
    page: lazy(() =>
      import('../pages/account/account-page.tsx').then((file) => ({ default: file.AccountPage })),
    ),
  },
  {
    path: '/sign-in',
    title: TITLES.signIn,
    page: lazy(() =>
      import('../pages/sign-in/sign-in-page.tsx').then((file) => ({ default: file.SignInPage })),
    ),
    open: true,
  },
  {
    path: '/welcome',
    title: TITLES.welcome,
    page: lazy(() =>
      import('../pages/welcome/welcome-page.tsx').then((file) => ({ default: file.WelcomePage })),
    ),
    open: true,
  },
  {
    path: '/parts',
    title: TITLES.parts,
    page: lazy(() => import('../pages/parts/parts-page.tsx').then((file) => ({ default: file.PartsPage }))),
    open: true,
  },
];

/** Where a route of the navigation leads. */
export function hrefOf({ path }: PageRoute): string {
  return path.replace(/\/:.*$/, '');
}
