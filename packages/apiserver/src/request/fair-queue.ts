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

  shift(): Item | undefined {
    for (const [owner, items] of this.#byOwner) {
      const item = items.shift();
      this.#byOwner.delete(owner);
      if (items.length > 0) this.#byOwner.set(owner, items);
      return item;
    }
    return undefined;
  }
}
