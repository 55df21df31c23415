import { WireError } from '../../wire/wire-error.ts';
import type { WireReader } from '../../wire/wire-reader.ts';

/**
 * Passes over a field that nobody asked for.
 *
 * @param names Go names of the message's fields by number, for those of another wire type than theirs
 * @throws WireError as gogo's code does
 */
export function skipUnknown(reader: WireReader, tag: number, names: readonly string[]): void {
  const name = names[tag >>> 3] ?? '';
  if (name !== '') throw new WireError(`proto: wrong wireType = ${tag & 7} for field ${name}`);
  reader.skip(tag);
}
