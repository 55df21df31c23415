import { WireError } from '../../wire/wire-error.ts';
import type { WireReader } from '../../wire/wire-reader.ts';

/**
 * Passes over a field that nobody asked for.
 *
 * @param names of the message, and Go names of its fields by number, for those of another wire type than theirs
 * @throws WireError as gogo's code does
 */
export function skipUnknown(reader: WireReader, tag: number, names: readonly string[]): void {
  if ((tag & 7) === 4) throw new WireError(`proto: ${names[0]}: wiretype end group for non-group`);
  const name = names[tag >>> 3];
  if (name !== undefined) throw new WireError(`proto: wrong wireType = ${tag & 7} for field ${name}`);
  reader.skip(tag);
}
