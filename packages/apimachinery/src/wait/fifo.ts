/** So many that have left are not worth a copy of the others. */
const FEW = 64;

/**
 * What waits, each once, in the order of its coming. To take one is the same work however many wait: the first of a
 * Set is found behind all that were taken before it, which made a queue of 100,000 take four times as long as two of
 * 50,000.
 *
 *     taken taken | first … last ◄── push
 *               #head
 */
export class Fifo<Item> {
  readonly #known = new Set<Item>();
  #items: (Item | undefined)[] = [];
  #head = 0;

  get size(): number {
    return this.#known.size;
  }

  has(item: Item): boolean {
    return this.#known.has(item);
  }

  /** Whether it did not wait yet. */
  push(item: Item): boolean {
    if (this.#known.has(item)) return false;
    this.#known.add(item);
    this.#items.push(item);
    return true;
  }

  /** What `shift` would give; undefined: nothing waits. */
  peek(): Item | undefined {
    return this.#items[this.#head];
  }

  shift(): Item | undefined {
    if (this.#known.size === 0) return undefined;
    const item = this.#items[this.#head]!;
    this.#items[this.#head++] = undefined;
    this.#known.delete(item);
    if (this.#head >= FEW && this.#head * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }
}
