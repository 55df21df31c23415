import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto';
import type { CipherGCMTypes, KeyObject } from 'node:crypto';
import { TransformError } from './transform-error.ts';
import type { Untransformed, ValueTransformer } from './transformer.ts';

const nonceBytes = 12;
const tagBytes = 16;

const algorithms = new Map<number, CipherGCMTypes>([
  [16, 'aes-128-gcm'],
  [24, 'aes-192-gcm'],
  [32, 'aes-256-gcm'],
]);

/**
 * AES-GCM with a random nonce: nonce (12 bytes), ciphertext, tag (16 bytes); the storage key is authenticated
 * (encrypt/aes). A key must be rotated long before 2^32 writes.
 */
export class AESGCMTransformer implements ValueTransformer {
  readonly #algorithm: CipherGCMTypes;
  readonly #key: KeyObject;

  /** @param key 16, 24 or 32 bytes @throws TransformError */
  constructor(key: Uint8Array) {
    const algorithm = algorithms.get(key.length);
    if (algorithm === undefined) throw new TransformError(`crypto/aes: invalid key size ${key.length}`);
    this.#algorithm = algorithm;
    this.#key = createSecretKey(key);
  }

  fromStorage(value: Uint8Array, key: string): Untransformed {
    if (value.length < nonceBytes) throw new TransformError('the stored data was shorter than the required size');
    if (value.length < nonceBytes + tagBytes) throw new TransformError('cipher: message authentication failed');
    const decipher = createDecipheriv(this.#algorithm, this.#key, value.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    });
    decipher.setAAD(Buffer.from(key));
    decipher.setAuthTag(value.subarray(value.length - tagBytes));
    const plain = decipher.update(value.subarray(nonceBytes, value.length - tagBytes));
    try {
      decipher.final();
    } catch (cause) {
      throw new TransformError('cipher: message authentication failed', { cause });
    }
    return { value: plain, stale: false };
  }

  toStorage(value: Uint8Array, key: string): Uint8Array {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv(this.#algorithm, this.#key, nonce, { authTagLength: tagBytes });
    cipher.setAAD(Buffer.from(key));
    const encrypted = cipher.update(value);
    const rest = cipher.final();
    return Buffer.concat([nonce, encrypted, rest, cipher.getAuthTag()]);
  }
}
