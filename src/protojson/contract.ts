// The services of the contract, with their methods and messages, and its enumeration numbers as names of the domain. Other
// layers import the contract from here, so only one layer knows the generated code.

export { ApiKeyService } from '../gen/threatintel/v1/api_key_service_pb.ts';
export { IndicatorService } from '../gen/threatintel/v1/indicator_service_pb.ts';
export { SensorEventService } from '../gen/threatintel/v1/sensor_event_service_pb.ts';
export { UsageService } from '../gen/threatintel/v1/usage_service_pb.ts';

/**
 * The vocabulary name of an enumeration number. A test keeps vocabulary and contract equal.
 * @throws RangeError for a number that the decoder refuses.
 */
export function nameOf<Name extends string>(vocabulary: readonly Name[], number: number): Name {
  const name = vocabulary[number];
  if (name === undefined) throw new RangeError(`no name for enumeration number ${number}`);
  return name;
}

/** The names of a list of numbers, each once. */
export function namesOf<Name extends string>(
  vocabulary: readonly Name[],
  numbers: readonly number[],
): Name[] {
  return [...new Set(numbers)].map((number) => nameOf(vocabulary, number));
}
