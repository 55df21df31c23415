import { Cursor } from './cursor.ts';
import { BREAK, BYTES, INDEFINITE, LIST, MAP, TEXT } from './wire.ts';

/**
 * Entries of maps and items of lists, as the heads of these say; of CBOR that is not well-formed those before the
 * mistake. In what has no length each item counts that is read, keys of maps and chunks of strings as well.
 */
export function countCBORValues(bytes: Uint8Array): number {
  const cursor = new Cursor(bytes);
  let count = 0;
  /** Items without a length that have not ended. */
  let open = 0;
  while (cursor.hasHead) {
    const first = bytes[cursor.at];
    const { info, type, value } = cursor.head();
    if (first === BREAK) {
      open = Math.max(0, open - 1);
      continue;
    }
    if (open > 0) count++;
    if (info === INDEFINITE && type >= BYTES && type <= MAP) open++;
    else if (type === BYTES || type === TEXT) cursor.at += value;
    // More than there can be is a mistake.
    else if (open === 0 && (type === LIST || type === MAP)) count += Math.min(value, bytes.length);
  }
  return count;
}
