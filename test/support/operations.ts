// Every operation of the REST contract with one answer, so that a rule for all of them holds for a new one by itself. A
// stream does not end by itself, and has tests of its own.

import {
  ApiKeyService,
  IndicatorService,
  SensorEventService,
  UsageService,
} from '../../src/protojson/contract.ts';
import { routesOf } from '../../src/protojson/routes.ts';

export interface Operation {
  readonly method: string;
  /** As in the contract, such as `/v1/indicators/{id}:verify`. */
  readonly template: string;
}

export const OPERATIONS: readonly Operation[] = [
  IndicatorService,
  SensorEventService,
  ApiKeyService,
  UsageService,
]
  .flatMap((service) => routesOf(service))
  .filter(({ isStream }) => !isStream)
  .map(({ method, template }) => ({ method, template }));

/** The path of an operation, with one id in every place that asks for one. */
export function pathOf({ template }: Operation, id: string): string {
  return template.replace(/\{\w+\}/g, id);
}
