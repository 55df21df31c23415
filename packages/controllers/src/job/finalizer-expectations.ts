/** Which pods' finalizers a controller has taken away without having seen it yet (job/tracking_utils.go, 1.36). */
export class FinalizerExpectations {
  readonly #byKey = new Map<string, Set<string>>();

  /** The uids of pods that count as released. */
  of(key: string): ReadonlySet<string> {
    return this.#byKey.get(key) ?? new Set();
  }

  expect(key: string, uids: readonly string[]): void {
    this.#byKey.set(key, new Set([...this.of(key), ...uids]));
  }

  observed(key: string, uid: string): void {
    const uids = this.#byKey.get(key);
    if (uids?.delete(uid) === true && uids.size === 0) this.#byKey.delete(key);
  }

  delete(key: string): void {
    this.#byKey.delete(key);
  }
}
