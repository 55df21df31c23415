import { createHash } from 'node:crypto';
import { constants, gunzipSync, gzipSync } from 'node:zlib';

/**
 * A document as it is kept: compressed (a tenth of its size), with the tag that stands for its bytes. The plain bytes
 * are made for each answer that wants them, at about 300 MB/s.
 */
export class StoredDocument {
  readonly gzip: Buffer;
  /** SHA-512 of the plain bytes, as the reference's ETag and `hash` have it; without quotes. */
  readonly etag: string;
  /** Milliseconds since the epoch. */
  readonly lastModified: number;

  constructor(bytes: Buffer, now: number) {
    this.gzip = gzipSync(bytes, { level: constants.Z_BEST_SPEED });
    this.etag = createHash('sha512').update(bytes).digest('hex').toUpperCase();
    this.lastModified = now;
  }

  plain(): Buffer {
    return gunzipSync(this.gzip);
  }
}

/** JSON as Go's encoder writes it inside other documents: `<`, `>` and `&` escaped. */
export function goJSON(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
