/**
 * JSON that is there already, in pieces which must not be changed: it is written as it is, without being parsed. The
 * pieces may be views of what is stored, so that keeping it takes no memory of its own.
 */
export class JSONText {
  /** Bytes of all pieces. */
  readonly size: number;
  /** Gives the pieces again each time: those of a long list are joined while they are written. */
  readonly pieces: () => Iterable<Uint8Array>;
  /** Bytes that are kept for it alone: none of those that are stored. */
  readonly kept: number;

  /** @param kept default: all */
  constructor(size: number, pieces: () => Iterable<Uint8Array>, kept = size) {
    this.size = size;
    this.pieces = pieces;
    this.kept = kept;
  }

  static of(parts: readonly Uint8Array[]): JSONText {
    let size = 0;
    for (const part of parts) size += part.length;
    return new JSONText(size, () => parts);
  }

  /** For texts that are known to be short. @throws RangeError beyond the longest string of V8 (512 MiB) */
  toString(): string {
    return Buffer.concat([...this.pieces()]).toString('utf8');
  }

  /** What it says, for whoever writes what it stands in with JSON.stringify. */
  toJSON(): unknown {
    return JSON.parse(this.toString());
  }
}
