// A page that fails leaves the navigation in place.

import { Component, type ReactNode } from 'react';
import { ErrorState } from '../parts/error-state.tsx';
import { SHELL } from '../text/shell.ts';

interface Props {
  /** A new one shows the page again. */
  readonly path: string;
  readonly children: ReactNode;
}

interface State {
  readonly error: unknown;
  readonly path: string;
}

export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: undefined, path: this.props.path };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error };
  }

  static getDerivedStateFromProps({ path }: Props, state: State): State | null {
    return path === state.path ? null : { error: undefined, path };
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children;
    return (
      <ErrorState error={this.state.error}>
        <button type="button" className="button" onClick={() => location.reload()}>
          {SHELL.reload}
        </button>
      </ErrorState>
    );
  }
}
