import { randomBytes } from 'node:crypto';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import { TransformError } from './transform-error.ts';
import type { Untransformed, ValueTransformer } from './transformer.ts';

const nonceBytes = 24;
const tagBytes = 16;

/**
 * NaCl secretbox (XSalsa20-Poly1305) with a random nonce in front (encrypt/secretbox). The storage key is not
 * authenticated.
 */
export class SecretboxTransformer implements ValueTransformer {
  readonly #key: Uint8Array;

  /** @param key 32 bytes @throws TransformError */
  constructor(key: Uint8Array) {
    if (key.length !== 32) throw new TransformError(`expected key size 32 for secretbox provider, got ${key.length}`);
    this.#key = Uint8Array.from(key);
  }

  fromStorage(value: Uint8Array): Untransformed {
    if (value.length < nonceBytes + tagBytes)
      throw new TransformError('the stored data was shorter than the required size');
    try {
      return {
        value: xsalsa20poly1305(this.#key, value.subarray(0, nonceBytes)).decrypt(value.subarray(nonceBytes)),
        stale: false,
      };
    } catch (cause) {
      throw new TransformError('output array was not large enough for encryption', { cause });
    }
  }

  toStorage(value: Uint8Array): Uint8Array {
    const nonce = randomBytes(nonceBytes);
    return Buffer.concat([nonce, xsalsa20poly1305(this.#key, nonce).encrypt(value)]);
  }
}
