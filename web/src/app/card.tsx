// A page with one small card: signing in, and one-time links.

import type { ReactNode } from 'react';
import { PRODUCT } from '../text/titles.ts';
import { Mark } from './mark.tsx';
import './card.css';

export function Card({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="card-page">
      <p className="card-name">
        <Mark /> {PRODUCT}
      </p>
      <div className="panel card">
        <h1>{title}</h1>
        {children}
      </div>
    </div>
  );
}
