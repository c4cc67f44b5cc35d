// The bar above the pages.

import { useState } from 'react';
import { Link, useRoute } from 'wouter';
import { mayUse } from '../api/session.ts';
import { TlpChip } from '../parts/tlp-chip.tsx';
import { SHELL } from '../text/shell.ts';
import { PRODUCT } from '../text/titles.ts';
import { Mark } from './mark.tsx';
import { hrefOf, type PageRoute, ROUTES } from './routes.ts';
import { useSignedIn, useSignOut } from './session.tsx';
import './navigation.css';

export function Navigation({ onHelp }: { readonly onHelp: () => void }) {
  const session = useSignedIn();
  const [open, setOpen] = useState(false);
  const routes = ROUTES.filter(({ key, scope }) => key && (scope === undefined || mayUse(session, scope)));
  return (
    <header className="bar">
      <a className="bar-skip" href="#content">
        {SHELL.skip}
      </a>
      <Link href="/" className="bar-name">
        <Mark />
        <span>{PRODUCT}</span>
      </Link>
      <button
        type="button"
        className="button plain bar-menu"
        aria-expanded={open}
        aria-controls="pages"
        onClick={() => setOpen(!open)}
      >
        {SHELL.menu}
      </button>
      <nav id="pages" className={open ? 'bar-pages bar-open' : 'bar-pages'} aria-label={SHELL.pages}>
        {routes.map((route) => (
          <PageLink key={route.path} route={route} onOpen={() => setOpen(false)} />
        ))}
      </nav>
      <AccountMenu onHelp={onHelp} />
    </header>
  );
}

function PageLink({ route, onOpen }: { readonly route: PageRoute; readonly onOpen: () => void }) {
  const [here] = useRoute(route.path);
  return (
    <Link
      href={hrefOf(route) || '/'}
      aria-current={here ? 'page' : undefined}
      className="bar-page"
      onClick={onOpen}
    >
      {route.title}
    </Link>
  );
}

function AccountMenu({ onHelp }: { readonly onHelp: () => void }) {
  const { person, account, tlpCeiling } = useSignedIn();
  const signOut = useSignOut();
  const close = () => document.getElementById('account-menu')?.hidePopover();
  return (
    <>
      <button type="button" className="button plain bar-account" popoverTarget="account-menu">
        <span className="bar-initial" aria-hidden="true">
          {([...person.name][0] ?? '?').toUpperCase()}
        </span>
        <span className="bar-person">{person.name}</span>
        <span className="hidden-text">{SHELL.account}</span>
      </button>
      <div id="account-menu" popover="auto" className="bar-popover">
        <p>
          <b>{person.name}</b>
          <span className="soft">
            {person.login} · {account}
          </span>
        </p>
        <p className="soft">
          {SHELL.ceiling} <TlpChip tlp={tlpCeiling} />
        </p>
        <Link href="/account" className="bar-item" onClick={close}>
          {SHELL.account}
        </Link>
        <a href="/docs" className="bar-item">
          {SHELL.docs}
        </a>
        <button
          type="button"
          className="bar-item"
          onClick={() => {
            close();
            onHelp();
          }}
        >
          {SHELL.keyboard} <kbd>?</kbd>
        </button>
        <button type="button" className="bar-item" onClick={() => void signOut()}>
          {SHELL.signOut}
        </button>
      </div>
    </>
  );
}
