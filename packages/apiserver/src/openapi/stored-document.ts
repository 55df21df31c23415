import { escapeHTML, stringifyJSON } from '@kubechain/apimachinery';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gunzip, gzipSync } from 'node:zlib';
import { SharedBytes } from './shared-bytes.ts';

const unpack = promisify(gunzip);

/**
 * A document as it is kept: compressed (a tenth of its size), with the tag that stands for its bytes. The plain bytes,
 * and what else is made of them, are there while somebody is sent them, and shared by all who are.
 */
export class StoredDocument {
  readonly gzip: Buffer;
  /** SHA-512 of the plain bytes, as the reference's ETag and `hash` have it; without quotes. */
  readonly etag: string;
  /** Milliseconds since the epoch. */
  readonly lastModified: number;
  readonly #plain = new SharedBytes(() => unpack(this.gzip));
  /** By how they are written. */
  readonly #written = new Map<string, SharedBytes>();

  constructor(bytes: Buffer, now: number) {
    this.gzip = gzipSync(bytes, { level: constants.Z_BEST_SPEED });
    this.etag = tagOf(bytes);
    this.lastModified = now;
  }

  /** Unpacked by a thread of its own. Not to be changed. */
  plain(): Buffer | Promise<Buffer> {
    return this.#plain.get();
  }

  /** The document in another form, which `write` makes of what it says. */
  written(form: string, write: (document: object) => Uint8Array | Promise<Uint8Array>): Buffer | Promise<Buffer> {
    let bytes = this.#written.get(form);
    if (bytes === undefined) {
      bytes = new SharedBytes(async () => write(JSON.parse((await this.plain()).toString()) as object));
      this.#written.set(form, bytes);
    }
    return bytes.get();
  }
}

/** What stands for the bytes of a document. */
export function tagOf(bytes: Uint8Array): string {
  return createHash('sha512').update(bytes).digest('hex').toUpperCase();
}

/** JSON as Go's encoder writes it inside other documents: `<`, `>` and `&` escaped, integers of any size. */
export function goJSON(value: unknown): string {
  return escapeHTML(stringifyJSON(value));
}
