import { Fifo } from './fifo.ts';

/** An owner's place among the others, with what of it waits. */
interface Turn<Item, Owner> {
  readonly owner: Owner;
  readonly items: Fifo<Item>;
  before: Turn<Item, Owner> | undefined;
  after: Turn<Item, Owner> | undefined;
}

/**
 * What waits, in turns of its owners: somebody with a thousand items delays somebody with one by one item. Those of one
 * owner leave in the order in which they came; the same item of an owner waits once. To take one is the same work
 * however many owners and items there are.
 *
 *     #first: b ─► c ─► a ─► undefined      a had its turn last
 *             b1   c1   a2
 *             b2        a3
 */
export class FairQueue<Item, Owner = string> {
  readonly #turns = new Map<Owner, Turn<Item, Owner>>();
  /** The owner whose turn it is. */
  #first: Turn<Item, Owner> | undefined;
  #last: Turn<Item, Owner> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** How many of an owner wait. */
  sizeOf(owner: Owner): number {
    return this.#turns.get(owner)?.items.size ?? 0;
  }

  has(owner: Owner, item: Item): boolean {
    return this.#turns.get(owner)?.items.has(item) === true;
  }

  push(owner: Owner, item: Item): void {
    let turn = this.#turns.get(owner);
    if (turn === undefined) {
      turn = { owner, items: new Fifo(), before: undefined, after: undefined };
      this.#turns.set(owner, turn);
      this.#append(turn);
    }
    if (turn.items.push(item)) this.#size++;
  }

  /** What `shift` would give. */
  peek(): Item | undefined {
    return this.#first?.items.peek();
  }

  /** The first item of the first owner for whom it fits; it leaves as by `shift`. */
  shiftOf(fits: (owner: Owner, item: Item) => boolean): Item | undefined {
    for (let turn = this.#first; turn !== undefined; turn = turn.after)
      if (fits(turn.owner, turn.items.peek()!)) return this.#leave(turn);
    return undefined;
  }

  shift(): Item | undefined {
    return this.#first === undefined ? undefined : this.#leave(this.#first);
  }

  #leave(turn: Turn<Item, Owner>): Item | undefined {
    const item = turn.items.shift();
    this.#size--;
    this.#remove(turn);
    if (turn.items.size > 0) this.#append(turn);
    else this.#turns.delete(turn.owner);
    return item;
  }

  #append(turn: Turn<Item, Owner>): void {
    turn.before = this.#last;
    turn.after = undefined;
    if (this.#last === undefined) this.#first = turn;
    else this.#last.after = turn;
    this.#last = turn;
  }

  #remove({ after, before }: Turn<Item, Owner>): void {
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
  }
}
