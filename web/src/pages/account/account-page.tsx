// The own account: who one is, colours, password, passkeys, sessions.

import { changePassword } from '../../api/own-account.ts';
import { NewPasswordForm } from '../../app/new-password-form.tsx';
import { useSignedIn } from '../../app/session.tsx';
import { chooseTheme, type ThemeChoice, useThemeChoice } from '../../app/theme.ts';
import { HostileText } from '../../parts/hostile-text.tsx';
import { TlpChip } from '../../parts/tlp-chip.tsx';
import { showToast } from '../../parts/toasts.ts';
import { ACCOUNT } from '../../text/account.ts';
import { SHELL } from '../../text/shell.ts';
import { TITLES } from '../../text/titles.ts';
import { Passkeys } from './passkeys.tsx';
import { Sessions } from './sessions.tsx';
import './account.css';

export function AccountPage() {
  const { person, account, roles, tlpCeiling } = useSignedIn();
  return (
    <div className="page account">
      <h1>{TITLES.account}</h1>
      <section className="panel account-part">
        <h2>
          <HostileText text={person.name} />
        </h2>
        <dl className="account-facts">
          <dt>{ACCOUNT.login}</dt>
          <dd>
            <HostileText text={person.login} />
          </dd>
          <dt>{ACCOUNT.account}</dt>
          <dd>
            <HostileText text={account} />
          </dd>
          <dt>{ACCOUNT.roles}</dt>
          <dd>{roles.join(', ')}</dd>
          <dt>{ACCOUNT.ceiling}</dt>
          <dd>
            <TlpChip tlp={tlpCeiling} />
          </dd>
        </dl>
      </section>
      <Colours />
      <section className="panel account-part">
        <h2>{ACCOUNT.password}</h2>
        <p className="soft">{ACCOUNT.passwordHint}</p>
        <div className="account-narrow">
          <NewPasswordForm
            submit={ACCOUNT.changePassword}
            onChosen={async (password, form) => {
              await changePassword(String(form.get('current')), password);
              showToast(ACCOUNT.passwordChanged);
            }}
          >
            <div className="field">
              <label htmlFor="current-password">{ACCOUNT.current}</label>
              <input
                id="current-password"
                name="current"
                type="password"
                autoComplete="current-password"
                aria-describedby="current-password-hint"
              />
              <p id="current-password-hint" className="hint">
                {ACCOUNT.currentHint}
              </p>
            </div>
          </NewPasswordForm>
        </div>
      </section>
      <Passkeys />
      <Sessions />
    </div>
  );
}

function Colours() {
  const choice = useThemeChoice();
  return (
    <section className="panel account-part">
      <fieldset className="account-colours">
        <legend>
          <h2>{ACCOUNT.colours}</h2>
        </legend>
        {(['system', 'light', 'dark'] satisfies ThemeChoice[]).map((theme) => (
          <label key={theme}>
            <input type="radio" name="theme" checked={choice === theme} onChange={() => chooseTheme(theme)} />{' '}
            {SHELL.themes[theme]}
          </label>
        ))}
      </fieldset>
    </section>
  );
}
