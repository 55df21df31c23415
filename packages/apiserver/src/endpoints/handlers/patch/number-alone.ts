/** No byte above it is blank in JSON, and none of those below it begins a value. */
const SPACE = 0x20;

/** Whether JSON is a number and nothing else, which is no patch of any type, however large it is. */
export function isNumberAlone(json: Uint8Array): boolean {
  const first = String.fromCharCode(json.find((byte) => byte > SPACE) ?? 0);
  return first === '-' || (first >= '0' && first <= '9');
}
