// Checks that the rules about objects, manifest, one object and its versions share (TAXII 2.1 §3.2, §3.7).

import type { Answer } from '../answer.ts';
import { shown } from '../json-value.ts';
import { isTaxiiTimestamp, sortable } from '../timestamp.ts';
import { check } from '../violation.ts';
import type { Page } from '../walk.ts';

/** No object was added after this instant. */
export const FAR_FUTURE = '2999-01-01T00:00:00.000000Z';

const FIRST = 'x-taxii-date-added-first';
const LAST = 'x-taxii-date-added-last';

/** §3.2 with §2: every success has both headers, in the one form of a timestamp. */
export function checkDateHeaders(answer: Answer): void {
  for (const name of [FIRST, LAST]) {
    const value = answer.header(name);
    check(value !== undefined, `${answer.request}: ${name} is missing`);
    check(isTaxiiTimestamp(value), `${answer.request}: ${name} is ${shown(value)}`);
  }
}

/** @param dates of the items of the page, in a sortable form. Undefined for an item with an unknown date. */
export function checkDates(answer: Answer, dates: readonly (string | undefined)[]): void {
  for (const [name, date] of [
    [FIRST, dates[0]],
    [LAST, dates.at(-1)],
  ] as const) {
    const value = answer.header(name) ?? '';
    check(
      date === undefined || sortable(value) === date,
      `${answer.request}: ${name} is ${value}, not ${date}`,
    );
  }
}

/** §3.7.1 and §5.3.1: the members beside the list. */
export function pageFaults(pages: readonly Page[]): readonly string[] {
  return pages.flatMap(({ answer }) => {
    const { more, next } = answer.object();
    return [
      ...(more === undefined || typeof more === 'boolean'
        ? []
        : [`${answer.request}: more is ${shown(more)}`]),
      ...(next === undefined || typeof next === 'string'
        ? []
        : [`${answer.request}: next is ${shown(next)}`]),
    ];
  });
}
