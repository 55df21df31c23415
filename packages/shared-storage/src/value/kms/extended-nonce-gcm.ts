import { createHmac, randomBytes } from 'node:crypto';
import { AESGCMTransformer } from '../aes-gcm.ts';
import { TransformError } from '../transform-error.ts';
import type { Untransformed, ValueTransformer } from '../transformer.ts';

const infoBytes = 32;

/**
 * AES-GCM with a key of its own for every value, derived from a seed by HKDF-Expand (SHA-256) with 32 random bytes that
 * stand in front of the value (encrypt/aes, HKDF extended nonce): one seed serves any number of writes.
 */
export class ExtendedNonceGCMTransformer implements ValueTransformer {
  readonly #seed: Buffer;

  /** @param seed at least 32 random bytes @throws TransformError */
  constructor(seed: Buffer) {
    if (seed.length < 32) throw new TransformError(`invalid seed length ${seed.length} used for key generation`);
    this.#seed = seed;
  }

  fromStorage(value: Uint8Array, key: string): Untransformed {
    if (value.length < infoBytes) throw new TransformError('the stored data was shorter than the required size');
    return this.#derived(value.subarray(0, infoBytes)).fromStorage(value.subarray(infoBytes), key);
  }

  toStorage(value: Uint8Array, key: string): Uint8Array {
    const info = randomBytes(infoBytes);
    return Buffer.concat([info, this.#derived(info).toStorage(value, key)]);
  }

  /** One block of HKDF-Expand is the 32 bytes that are needed. */
  #derived(info: Uint8Array): AESGCMTransformer {
    return new AESGCMTransformer(createHmac('sha256', this.#seed).update(info).update(Uint8Array.of(1)).digest());
  }
}
