/** Phrases of net/http that Node words otherwise. */
const phrases: ReadonlyMap<number, string> = new Map([
  [413, 'Request Entity Too Large'],
  [416, 'Requested Range Not Satisfiable'],
  [418, "I'm a teapot"],
]);

const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** The phrase of a status line as Go's server writes it; it never sends on a backend's own. */
export function statusText(code: number): string {
  return phrases.get(code) ?? STATUS_CODES[code] ?? `status code ${code}`;
}
