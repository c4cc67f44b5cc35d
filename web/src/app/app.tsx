// The frame: who is signed in, the bar, and the page of the path.

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Redirect, Route, Router, Switch, useLocation } from 'wouter';
import { ServiceError } from '../api/service-error.ts';
import { mayUse } from '../api/session.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorState } from '../parts/error-state.tsx';
import { ToastRegion } from '../parts/toast.tsx';
import { SHELL } from '../text/shell.ts';
import { PRODUCT, TITLES } from '../text/titles.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { Navigation } from './navigation.tsx';
import { useQueryString } from './query-string.ts';
import { type PageRoute, ROUTES } from './routes.ts';
import { SignedInProvider, useOtherTabs, useSession } from './session.tsx';
import { useShortcuts } from './shortcuts.ts';
import './app.css';

const SignInAgain = lazy(() => import('./sign-in-again.tsx').then((file) => ({ default: file.SignInAgain })));

const ShortcutHelp = lazy(() =>
  import('./shortcut-help.tsx').then((file) => ({ default: file.ShortcutHelp })),
);

const client = new QueryClient({
  defaultOptions: {
    // A browser without a network may still reach a service on its own machine, and must hear when it does not.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 10_000,
      // What was refused is refused again. A busy service says itself when to come back.
      retry: (count, error) => error instanceof ServiceError && error.status === 0 && count < 1,
    },
  },
});

export function App() {
  return (
    <QueryClientProvider client={client}>
      <Router base="/app">
        <Frame />
        <ToastRegion />
      </Router>
    </QueryClientProvider>
  );
}

function Frame() {
  const { data: session, error, refetch } = useSession();
  const [path] = useLocation();
  const search = useQueryString();
  const { help, setHelp } = useShortcuts();
  useOtherTabs();
  const route = ROUTES.find(({ path: pattern }) => matches(pattern, path));
  useTitle(route?.title ?? SHELL.noSuchPage);
  if (route?.open === true) {
    return (
      <Content path={path}>
        <Pages />
      </Content>
    );
  }
  if (session === undefined) {
    return (
      <Content path={path}>
        {error === null ? <Waiting /> : <ErrorState error={error} onRetry={() => void refetch()} />}
      </Content>
    );
  }
  if (!session.signedIn) {
    const here = `/app${path}${search === '' ? '' : `?${search}`}`;
    return <Redirect to={`/sign-in?returnTo=${encodeURIComponent(here)}`} replace />;
  }
  const isRefused = route?.scope !== undefined && !mayUse(session, route.scope);
  return (
    <SignedInProvider session={session}>
      <Navigation onHelp={() => setHelp(true)} />
      <Content path={path}>{isRefused ? <NotAllowed route={route} /> : <Pages />}</Content>
      <Suspense>
        {help && <ShortcutHelp onClose={() => setHelp(false)} />}
        <SignInAgain login={session.person.login} />
      </Suspense>
    </SignedInProvider>
  );
}

function Pages() {
  return (
    <Switch>
      {ROUTES.map(({ path, page }) => (
        <Route key={path} path={path} component={page} />
      ))}
      <Route>
        <EmptyState title={SHELL.noSuchPage}>
          <a href="/app/">{SHELL.toSearch}</a>
        </EmptyState>
      </Route>
    </Switch>
  );
}

/** The page. A new path takes the focus, so that screen readers read on there. */
function Content({ path, children }: { readonly path: string; readonly children: ReactNode }) {
  const element = useRef<HTMLElement>(null);
  const [shown, setShown] = useState(path);
  useEffect(() => {
    if (path === shown) return;
    setShown(path);
    element.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [path, shown]);
  return (
    <main id="content" ref={element} tabIndex={-1} className="content">
      <ErrorBoundary path={path}>
        <Suspense fallback={<Waiting />}>{children}</Suspense>
      </ErrorBoundary>
    </main>
  );
}

function Waiting() {
  return <p className="waiting">{SHELL.loading}</p>;
}

function NotAllowed({ route }: { readonly route: PageRoute }) {
  return <EmptyState title={SHELL.notAllowed}>{SHELL.notAllowedHint(route.scope ?? '')}</EmptyState>;
}

/** Before the effects of the page, which may know a better title. */
function useTitle(title: string): void {
  useLayoutEffect(() => {
    document.title = title === TITLES.search ? PRODUCT : `${title} · ${PRODUCT}`;
  }, [title]);
}

/** Whether a path is of this pattern, of which only the last segment can be a parameter. */
function matches(pattern: string, path: string): boolean {
  const source = pattern.replace(/\/:\w+\?$/, '(?:/[^/]+)?').replace(/:\w+$/, '[^/]+');
  return new RegExp(`^${source}/?$`).test(path);
}
