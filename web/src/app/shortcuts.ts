// Keys that work on every page: `/`, `?`, and `g` with a letter.

import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { isTyping } from '../parts/typing.ts';
import { hrefOf, ROUTES } from './routes.ts';

/** Milliseconds for the letter after `g`. */
const SECOND_KEY_MS = 1_500;

export function useShortcuts(): { readonly help: boolean; readonly setHelp: (open: boolean) => void } {
  const [, navigate] = useLocation();
  const [help, setHelp] = useState(false);
  const leader = useRef(0);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector('dialog[open]') !== null) return;
      if (event.key === '?') {
        setHelp(true);
      } else if (event.key === '/') {
        const box = document.querySelector<HTMLElement>('[data-search-box]');
        if (box === null) navigate('/');
        else box.focus();
      } else if (event.key === 'g') {
        leader.current = event.timeStamp;
        return;
      } else {
        const isSecond = event.timeStamp - leader.current < SECOND_KEY_MS && leader.current !== 0;
        leader.current = 0;
        const route = ROUTES.find(({ key }) => key === event.key);
        if (!isSecond || route === undefined) return;
        navigate(hrefOf(route));
      }
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [navigate]);
  return { help, setHelp };
}
