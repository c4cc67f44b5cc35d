// JSON text to an object whose members can be looked up safely.

export type JsonObject = Readonly<Record<string, unknown>>;

/** The object a text holds; undefined when it is no JSON or another kind of value. */
export function jsonObject(text: string): JsonObject | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isJsonObject(value) ? value : undefined;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text of a member; undefined when it is missing, empty or something else. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
