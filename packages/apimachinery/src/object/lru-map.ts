/** A map that forgets what was not used for longest when it is full. */
export class LRUMap<K, V> {
  readonly #limit: number;
  readonly #items = new Map<K, V>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: K): V | undefined {
    const value = this.#items.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: K, value: V): void {
    this.#items.delete(key);
    this.#items.set(key, value);
    if (this.#items.size <= this.#limit) return;
    for (const oldest of this.#items.keys()) {
      this.#items.delete(oldest);
      return;
    }
  }
}
