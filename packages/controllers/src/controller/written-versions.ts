import type { ObjectMeta } from '@kubechain/apimachinery';
import { keyOf } from '../informers/object-key.ts';

interface Versioned {
  readonly metadata?: ObjectMeta;
}

/**
 * Which versions a controller wrote last, so that it does not act on an informer that does not show them yet
 * (pkg/controller/util/consistency, 1.36).
 */
export class WrittenVersions {
  readonly #byKey = new Map<string, { readonly uid: string | undefined; readonly version: bigint }>();

  wrote(object: Versioned): void {
    this.#byKey.set(keyOf(object), { uid: object.metadata?.uid, version: versionOf(object) });
  }

  /** Whether an object is at least as new as what was written of it. */
  shows(object: Versioned): boolean {
    const known = this.#byKey.get(keyOf(object));
    return known === undefined || known.uid !== object.metadata?.uid || versionOf(object) >= known.version;
  }

  delete(key: string): void {
    this.#byKey.delete(key);
  }
}

function versionOf({ metadata }: Versioned): bigint {
  return BigInt(metadata?.resourceVersion ?? '0');
}
