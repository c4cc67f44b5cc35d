// Enumeration numbers of the contract into the names of the domain. A test holds both lists to each other.

/**
 * The vocabulary name of an enumeration number.
 * @throws RangeError for a number the decoder would have refused.
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
