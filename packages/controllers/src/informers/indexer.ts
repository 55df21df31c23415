/** Values under which an object is found in an index. */
export type IndexFunction<T> = (object: T) => readonly string[];

/** Objects by key, and by whatever indexes there are. Objects in it are shared: nobody may change them. */
export class Indexer<T> {
  readonly #items = new Map<string, T>();
  readonly #indexes = new Map<string, { readonly of: IndexFunction<T>; readonly keys: Map<string, Set<string>> }>();

  get size(): number {
    return this.#items.size;
  }

  /** Idempotent for a name: the first function stays. */
  addIndex(name: string, of: IndexFunction<T>): void {
    if (this.#indexes.has(name)) return;
    this.#indexes.set(name, { of, keys: new Map() });
    for (const [key, object] of this.#items) this.#index(name, key, object);
  }

  /** An empty one with the same indexes. */
  emptied(): Indexer<T> {
    const other = new Indexer<T>();
    for (const [name, { of }] of this.#indexes) other.addIndex(name, of);
    return other;
  }

  get(key: string): T | undefined {
    return this.#items.get(key);
  }

  values(): MapIterator<T> {
    return this.#items.values();
  }

  keys(): MapIterator<string> {
    return this.#items.keys();
  }

  /** @throws TypeError for an index that was never added */
  byIndex(name: string, value: string): T[] {
    const index = this.#indexes.get(name);
    if (index === undefined) throw new TypeError(`there is no index ${name}`);
    return Array.from(index.keys.get(value) ?? [], (key) => this.#items.get(key)!);
  }

  set(key: string, object: T): void {
    this.delete(key);
    this.#items.set(key, object);
    for (const name of this.#indexes.keys()) this.#index(name, key, object);
  }

  delete(key: string): void {
    const old = this.#items.get(key);
    if (old === undefined) return;
    this.#items.delete(key);
    for (const { of, keys } of this.#indexes.values())
      for (const value of of(old)) {
        const under = keys.get(value);
        under?.delete(key);
        if (under?.size === 0) keys.delete(value);
      }
  }

  #index(name: string, key: string, object: T): void {
    const { of, keys } = this.#indexes.get(name)!;
    for (const value of of(object)) {
      const under = keys.get(value);
      if (under === undefined) keys.set(value, new Set([key]));
      else under.add(key);
    }
  }
}
