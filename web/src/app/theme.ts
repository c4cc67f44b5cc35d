// Light or dark: as the system says, or as the person chose in this browser.

import { useSyncExternalStore } from 'react';

export type ThemeChoice = 'system' | 'light' | 'dark';

const KEY = 'tis-theme';
const SYSTEM = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

/** Applies the choice, also when the system or another tab changes it. */
export function followTheme(): void {
  SYSTEM.addEventListener('change', apply);
  addEventListener('storage', apply);
  apply();
}

export function chooseTheme(choice: ThemeChoice): void {
  if (choice === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, choice);
  apply();
}

/** The choice of the person. */
export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(subscribe, choiceOf);
}

/** What is shown, for drawings that take their colours from script. */
export function useTheme(): 'light' | 'dark' {
  return useSyncExternalStore(subscribe, themeOf);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function choiceOf(): ThemeChoice {
  const stored = localStorage.getItem(KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

function themeOf(): 'light' | 'dark' {
  const choice = choiceOf();
  if (choice !== 'system') return choice;
  return SYSTEM.matches ? 'dark' : 'light';
}

function apply(): void {
  document.documentElement.dataset.theme = themeOf();
  for (const notify of listeners) notify();
}
