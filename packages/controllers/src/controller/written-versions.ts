import { keyOf } from '../informers/object-key.ts';
import type { WithMetadata } from '../informers/with-metadata.ts';

/**
 * Which versions a controller wrote last, so that it does not act on an informer that does not show them yet
 * (pkg/controller/util/consistency, 1.36).
 */
export class WrittenVersions {
  readonly #byKey = new Map<string, { readonly uid: string | undefined; readonly version: bigint }>();

  wrote(object: WithMetadata): void {
    this.#byKey.set(keyOf(object), { uid: object.metadata?.uid, version: versionOf(object) });
  }

  /** Whether an object is at least as new as what was written of it. */
  shows(object: WithMetadata): boolean {
    const known = this.#byKey.get(keyOf(object));
    return known === undefined || known.uid !== object.metadata?.uid || versionOf(object) >= known.version;
  }

  delete(key: string): void {
    this.#byKey.delete(key);
  }
}

function versionOf({ metadata }: WithMetadata): bigint {
  return BigInt(metadata?.resourceVersion ?? '0');
}
