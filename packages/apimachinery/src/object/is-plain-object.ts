/** Whether a value is an object with keys: neither null nor a list. Says nothing of what the keys hold. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
