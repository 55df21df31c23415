import { Fifo } from './fifo.ts';

/**
 * What waits, in turns of its owners: somebody with a thousand items delays somebody with one by one item. Those of one
 * owner leave in the order in which they came; the same item of an owner waits once.
 */
export class FairQueue<Item, Owner = string> {
  /** The owner whose turn it is first. */
  readonly #byOwner = new Map<Owner, Fifo<Item>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(owner: Owner, item: Item): boolean {
    return this.#byOwner.get(owner)?.has(item) === true;
  }

  push(owner: Owner, item: Item): void {
    let items = this.#byOwner.get(owner);
    if (items === undefined) this.#byOwner.set(owner, (items = new Fifo()));
    if (items.push(item)) this.#size++;
  }

  /** What `shift` would give. */
  peek(): Item | undefined {
    for (const items of this.#byOwner.values()) return items.peek();
    return undefined;
  }

  /** The first item of the first owner for whom it fits; it leaves as by `shift`. */
  shiftOf(fits: (owner: Owner, item: Item) => boolean): Item | undefined {
    for (const [owner, items] of this.#byOwner) if (fits(owner, items.peek()!)) return this.#leave(owner, items);
    return undefined;
  }

  shift(): Item | undefined {
    for (const [owner, items] of this.#byOwner) return this.#leave(owner, items);
    return undefined;
  }

  #leave(owner: Owner, items: Fifo<Item>): Item | undefined {
    const item = items.shift();
    this.#size--;
    this.#byOwner.delete(owner);
    if (items.size > 0) this.#byOwner.set(owner, items);
    return item;
  }
}
