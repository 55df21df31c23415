import { TransformError } from './transform-error.ts';
import type { Untransformed, ValueTransformer } from './transformer.ts';

const encryptedPrefix = Buffer.from('k8s:enc:', 'latin1');

/** Stores values as they are, and refuses to read encrypted ones (encrypt/identity). */
export const identityTransformer: ValueTransformer = {
  fromStorage(value: Uint8Array): Untransformed {
    // Almost every value begins with `{`: it is looked at no further.
    if (
      value[0] === encryptedPrefix[0] &&
      value.length >= encryptedPrefix.length &&
      encryptedPrefix.compare(value, 0, encryptedPrefix.length) === 0
    )
      throw new TransformError('identity transformer tried to read encrypted data');
    return { value, stale: false };
  },
  toStorage: (value: Uint8Array): Uint8Array => value,
};
