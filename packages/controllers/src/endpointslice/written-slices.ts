import type { EndpointSlice } from '@kubechain/apimachinery/types/discovery/v1';

/** Longest that a slice's change is waited for; its event may have been lost in a re-list. */
const FORGET_AFTER = 100;

/**
 * Slices that were written and that the informer has yet to show, by service: until then the view is stale, and what is
 * shown of them is no change of somebody else's.
 */
export class WrittenSlices {
  /** The slice as the informer has it now. */
  readonly #shown: (slice: EndpointSlice) => EndpointSlice | undefined;
  /** Service key → slice name → version that was written; undefined = deleted. */
  readonly #pending = new Map<string, Map<string, string | undefined>>();
  /** How often `pending` held somebody up. */
  readonly #held = new Map<string, number>();
  /** Versions that were written, by uid. */
  readonly #versions = new Map<string, string>();

  constructor(shown: (slice: EndpointSlice) => EndpointSlice | undefined) {
    this.#shown = shown;
  }

  wrote(key: string, slice: EndpointSlice): void {
    const { name = '', uid = '', resourceVersion = '' } = slice.metadata ?? {};
    this.#versions.set(uid, resourceVersion);
    // The watch may be faster than the answer.
    if (Number(this.#shown(slice)?.metadata?.resourceVersion ?? 0) < Number(resourceVersion))
      this.#of(key).set(name, resourceVersion);
  }

  removed(key: string, slice: EndpointSlice): void {
    if (this.#shown(slice) !== undefined) this.#of(key).set(slice.metadata?.name ?? '', undefined);
  }

  /** The informer shows a slice of a service; true when it is what was written, or older. */
  seen(key: string, { metadata }: EndpointSlice): boolean {
    const { name = '', uid = '', resourceVersion = '' } = metadata ?? {};
    const names = this.#pending.get(key);
    const version = names?.get(name);
    if (version !== undefined && Number(resourceVersion) >= Number(version)) names?.delete(name);
    const written = this.#versions.get(uid);
    return written !== undefined && Number(resourceVersion) <= Number(written);
  }

  /** The informer shows that a slice of a service is gone; true when it was removed here. */
  gone(key: string, { metadata }: EndpointSlice): boolean {
    const { name = '', uid = '' } = metadata ?? {};
    this.#versions.delete(uid);
    const names = this.#pending.get(key);
    const ours = names?.has(name) === true && names.get(name) === undefined;
    names?.delete(name);
    return ours;
  }

  /** Whether something that was written has yet to be seen. */
  pending(key: string): boolean {
    if ((this.#pending.get(key)?.size ?? 0) === 0) {
      this.#held.delete(key);
      return false;
    }
    const held = (this.#held.get(key) ?? 0) + 1;
    this.#held.set(key, held);
    if (held < FORGET_AFTER) return true;
    this.#pending.delete(key);
    return false;
  }

  /** The service is gone. */
  delete(key: string): void {
    this.#pending.delete(key);
    this.#held.delete(key);
  }

  #of(key: string): Map<string, string | undefined> {
    let names = this.#pending.get(key);
    if (names === undefined) this.#pending.set(key, (names = new Map<string, string | undefined>()));
    return names;
  }
}
