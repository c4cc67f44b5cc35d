// Arguments of commands that act on single indicators.

import { InvalidArgumentError } from 'commander';
import { indicatorId } from '../domain/indicator/identity.ts';
import { parseObservable } from '../domain/observable/observable.ts';
import { parseTlp } from '../domain/tlp.ts';
import type { TlpMarking } from '../domain/vocabulary.ts';
import { indicatorIdOf } from '../stix/objects/stix-object.ts';

/**
 * The id of the indicator that an operator names: by its id, by its STIX id, which readers of the feed know, or by its
 * value, defanged or not. The indicator may not exist.
 */
export function indicatorIdFor(installationSecret: Buffer, given: string): string {
  const named = indicatorIdOf(given);
  if (named !== undefined) return named;
  const observable = parseObservable('UNSPECIFIED', given, { acceptPrivateAddresses: true });
  return observable.ok ? indicatorId(installationSecret, observable.type, observable.value) : given;
}

/** Reads the value of an option that is a TLP marking. */
export function markingOption(text: string): TlpMarking {
  const marking = parseTlp(text);
  if (marking === undefined) throw new InvalidArgumentError('Use CLEAR, GREEN, AMBER, AMBER_STRICT or RED.');
  return marking;
}
