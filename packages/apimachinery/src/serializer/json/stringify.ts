/** In every Node 24; TypeScript's library does not list it yet. */
const rawJSON = (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON;

/** JSON.stringify that also writes bigint, as a plain number. */
export function stringifyJSON(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    // 64-bit integers are rare enough that paying for them only when met is right.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, (_key, item: unknown) => typeof item === 'bigint' ? rawJSON(item.toString()) : item, indent);
  }
}
