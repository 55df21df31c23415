import { BREAK, BYTES, EIGHT_BYTES, INDEFINITE, LIST, MAP, ONE_BYTE, TEXT } from './wire.ts';

const SMALLEST_SIZE = 1;

/**
 * Entries of maps and items of lists, as the heads of these say; of CBOR that is not well-formed those before the
 * mistake. In what has no length each item counts that is read, keys of maps and chunks of strings as well.
 */
export function countCBORValues(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let count = 0;
  /** Items without a length that have not ended. */
  let open = 0;
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at++] as number;
    const type = first >> 5;
    const info = first & 0x1f;
    let value = info;
    if (info >= ONE_BYTE && info <= EIGHT_BYTES) {
      const size = SMALLEST_SIZE << (info - ONE_BYTE);
      if (at + size > bytes.length) return count;
      value = argument(view, at, size);
      at += size;
    } else if (info === INDEFINITE) value = 0;
    if (first === BREAK) {
      open = Math.max(0, open - 1);
      continue;
    }
    if (open > 0) count++;
    if (info === INDEFINITE && type >= BYTES && type <= MAP) open++;
    else if (type === BYTES || type === TEXT) at += value;
    // More than there can be is a mistake.
    else if (open === 0 && (type === LIST || type === MAP)) count += Math.min(value, bytes.length);
  }
  return count;
}

function argument(view: DataView, at: number, size: number): number {
  switch (size) {
    case 1:
      return view.getUint8(at);
    case 2:
      return view.getUint16(at);
    case 4:
      return view.getUint32(at);
    default:
      return Number(view.getBigUint64(at));
  }
}
