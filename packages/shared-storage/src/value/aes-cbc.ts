import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { TransformError } from './transform-error.ts';
import type { Untransformed, ValueTransformer } from './transformer.ts';

const blockBytes = 16;

/** AES-CBC with a random initialization vector in front and PKCS#7 padding (encrypt/aes). Nothing is authenticated. */
export class AESCBCTransformer implements ValueTransformer {
  readonly #algorithm: string;
  readonly #key: KeyObject;

  /** @param key 16, 24 or 32 bytes @throws TransformError */
  constructor(key: Uint8Array) {
    if (key.length !== 16 && key.length !== 24 && key.length !== 32)
      throw new TransformError(`crypto/aes: invalid key size ${key.length}`);
    this.#algorithm = `aes-${key.length * 8}-cbc`;
    this.#key = createSecretKey(key);
  }

  fromStorage(value: Uint8Array): Untransformed {
    if (value.length < blockBytes) throw new TransformError('the stored data was shorter than the required size');
    if (value.length % blockBytes !== 0)
      throw new TransformError('the stored data is not a multiple of the block size');
    if (value.length === blockBytes) throw new TransformError('invalid PKCS7 data (empty or not padded)');
    const decipher = createDecipheriv(this.#algorithm, this.#key, value.subarray(0, blockBytes));
    decipher.setAutoPadding(false);
    const padded = Buffer.concat([decipher.update(value.subarray(blockBytes)), decipher.final()]);
    return { value: unpad(padded), stale: false };
  }

  toStorage(value: Uint8Array): Uint8Array {
    const iv = randomBytes(blockBytes);
    const cipher = createCipheriv(this.#algorithm, this.#key, iv);
    return Buffer.concat([iv, cipher.update(value), cipher.final()]);
  }
}

/** Without PKCS#7 padding. Like upstream, padding may be longer than a block. */
function unpad(padded: Buffer): Buffer {
  const size = padded[padded.length - 1] ?? 0;
  if (size === 0 || size > padded.length) throw new TransformError('invalid PKCS7 data (empty or not padded)');
  for (let i = padded.length - size; i < padded.length; i++) {
    if (padded[i] !== size) throw new TransformError('invalid padding on input');
  }
  return padded.subarray(0, padded.length - size);
}
