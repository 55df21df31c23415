/**
 * What waits, in turns of its owners: somebody with a thousand items delays somebody with one by one item. Those of one
 * owner leave in the order in which they came.
 */
export class FairQueue<Item, Owner = string> {
  /** The owner whose turn it is first. */
  readonly #byOwner = new Map<Owner, Item[]>();

  push(owner: Owner, item: Item): void {
    const items = this.#byOwner.get(owner);
    if (items === undefined) this.#byOwner.set(owner, [item]);
    else items.push(item);
  }

  /** What `shift` would give. */
  peek(): Item | undefined {
    for (const [first] of this.#byOwner.values()) return first;
    return undefined;
  }

  /** The first item of the first owner for whom it fits; it leaves as by `shift`. */
  shiftOf(fits: (owner: Owner, item: Item) => boolean): Item | undefined {
    for (const [owner, [item]] of this.#byOwner) if (item !== undefined && fits(owner, item)) return this.#leave(owner);
    return undefined;
  }

  shift(): Item | undefined {
    for (const [owner] of this.#byOwner) return this.#leave(owner);
    return undefined;
  }

  #leave(owner: Owner): Item | undefined {
    const items = this.#byOwner.get(owner) ?? [];
    const item = items.shift();
    this.#byOwner.delete(owner);
    if (items.length > 0) this.#byOwner.set(owner, items);
    return item;
  }
}
