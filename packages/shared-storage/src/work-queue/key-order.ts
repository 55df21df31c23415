/** Keys that wait, each once, and which of them is next. */
export interface KeyOrder<K> {
  readonly size: number;
  has(key: K): boolean;
  add(key: K): void;
  /** Takes the next out; undefined: there is none for now. */
  take(): K | undefined;
  /** One that was taken is no longer worked on. */
  done(key: K): void;
}

/** In the order in which they came. */
export class OneAfterAnother<K> implements KeyOrder<K> {
  readonly #keys = new Set<K>();

  get size(): number {
    return this.#keys.size;
  }

  has(key: K): boolean {
    return this.#keys.has(key);
  }

  add(key: K): void {
    this.#keys.add(key);
  }

  take(): K | undefined {
    for (const key of this.#keys) {
      this.#keys.delete(key);
      return key;
    }
    return undefined;
  }

  done(): void {
    // Any number may be worked on.
  }
}

/** Whose a key is, and how many of one owner are worked on at a time. */
export interface Sharing<K> {
  readonly ownerOf: (key: K) => string;
  readonly most: number;
}

/** In turns of their owners, so that somebody with thousands of keys does not keep others waiting. */
export class OwnersInTurns<K> implements KeyOrder<K> {
  readonly #sharing: Sharing<K>;
  /** The owner whose turn it is first. */
  readonly #waiting = new Map<string, Set<K>>();
  /** How many are worked on, by owner. */
  readonly #taken = new Map<string, number>();
  #size = 0;

  constructor(sharing: Sharing<K>) {
    this.#sharing = sharing;
  }

  get size(): number {
    return this.#size;
  }

  has(key: K): boolean {
    return this.#waiting.get(this.#sharing.ownerOf(key))?.has(key) === true;
  }

  add(key: K): void {
    const owner = this.#sharing.ownerOf(key);
    let keys = this.#waiting.get(owner);
    if (keys === undefined) this.#waiting.set(owner, (keys = new Set()));
    if (keys.has(key)) return;
    keys.add(key);
    this.#size++;
  }

  take(): K | undefined {
    for (const [owner, keys] of this.#waiting) {
      const taken = this.#taken.get(owner) ?? 0;
      if (taken >= this.#sharing.most) continue;
      for (const key of keys) {
        keys.delete(key);
        this.#size--;
        this.#taken.set(owner, taken + 1);
        this.#waiting.delete(owner);
        if (keys.size > 0) this.#waiting.set(owner, keys);
        return key;
      }
    }
    return undefined;
  }

  done(key: K): void {
    const owner = this.#sharing.ownerOf(key);
    const left = (this.#taken.get(owner) ?? 0) - 1;
    if (left > 0) this.#taken.set(owner, left);
    else this.#taken.delete(owner);
  }
}
