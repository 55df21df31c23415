/**
 * A binary heap of keys with an order: the first can be taken, any can be deleted.
 *
 *           first
 *          /     \        the children of i are 2i+1 and 2i+2; none comes before its parent
 *        …         …
 */
export class KeyedHeap<T> {
  readonly #before: (a: T, b: T) => boolean;
  readonly #items: { readonly key: string; readonly value: T }[] = [];
  /** Where each key is. */
  readonly #places = new Map<string, number>();

  constructor(before: (a: T, b: T) => boolean) {
    this.#before = before;
  }

  get size(): number {
    return this.#items.length;
  }

  has(key: string): boolean {
    return this.#places.has(key);
  }

  first(): { readonly key: string; readonly value: T } | undefined {
    return this.#items[0];
  }

  keys(): IterableIterator<string> {
    return this.#places.keys();
  }

  /** Replaces the value of a key that is there. */
  set(key: string, value: T): void {
    const at = this.#places.get(key) ?? this.#items.length;
    this.#put(at, { key, value });
    this.#down(this.#up(at));
  }

  delete(key: string): boolean {
    const at = this.#places.get(key);
    if (at === undefined) return false;
    this.#places.delete(key);
    const last = this.#items.pop()!;
    if (at < this.#items.length) {
      this.#put(at, last);
      this.#down(this.#up(at));
    }
    return true;
  }

  #put(at: number, item: { readonly key: string; readonly value: T }): void {
    this.#items[at] = item;
    this.#places.set(item.key, at);
  }

  #up(from: number): number {
    const item = this.#items[from]!;
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#before(item.value, this.#items[parent]!.value)) break;
      this.#put(at, this.#items[parent]!);
      at = parent;
    }
    this.#put(at, item);
    return at;
  }

  #down(from: number): void {
    const item = this.#items[from]!;
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#items.length) break;
      if (child + 1 < this.#items.length && this.#before(this.#items[child + 1]!.value, this.#items[child]!.value))
        child++;
      if (!this.#before(this.#items[child]!.value, item.value)) break;
      this.#put(at, this.#items[child]!);
      at = child;
    }
    this.#put(at, item);
  }
}
