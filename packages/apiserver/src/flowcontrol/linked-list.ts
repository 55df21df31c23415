/** Where an item is in a list. */
export interface Place<Item> {
  readonly item: Item;
  previous: Place<Item> | undefined;
  next: Place<Item> | undefined;
}

/** Items in the order in which they came. Any of them may leave, which costs the same however many there are. */
export class LinkedList<Item> {
  #first: Place<Item> | undefined;
  #last: Place<Item> | undefined;

  get firstPlace(): Place<Item> | undefined {
    return this.#first;
  }
  get first(): Item | undefined {
    return this.#first?.item;
  }

  /** Adds an item; what it returns takes it out again, by `remove`. */
  push(item: Item): Place<Item> {
    const place: Place<Item> = { item, previous: this.#last, next: undefined };
    if (this.#last === undefined) this.#first = place;
    else this.#last.next = place;
    this.#last = place;
    return place;
  }

  /** Takes an item out that is in the list; whoever has its place can go on from there. */
  remove({ next, previous }: Place<Item>): void {
    if (previous === undefined) this.#first = next;
    else previous.next = next;
    if (next === undefined) this.#last = previous;
    else next.previous = previous;
  }

  /** The oldest first; the one that was told last may be removed meanwhile. */
  *[Symbol.iterator](): Generator<Item> {
    for (let place = this.#first; place !== undefined; place = place.next) yield place.item;
  }
}
