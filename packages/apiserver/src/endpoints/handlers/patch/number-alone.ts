/** No byte above it is blank in JSON, and none of those below it begins a value. */
const SPACE = 0x20;

const OUT_OF_RANGE = 'json: cannot unmarshal number';

/** Whether the parser has met a number that no double holds. */
export function isOutOfRange(error: Error): boolean {
  return error.message.startsWith(OUT_OF_RANGE);
}

/** Whether JSON is a number and nothing else, which is no patch of any type, however large it is. */
export function isNumberAlone(json: Uint8Array): boolean {
  const first = String.fromCharCode(json.find((byte) => byte > SPACE) ?? 0);
  return first === '-' || (first >= '0' && first <= '9');
}
