import { FairQueue, Fifo } from '@kubechain/apimachinery';

/** Keys that wait, each once, and which of them is next. */
export interface KeyOrder<K> {
  readonly size: number;
  has(key: K): boolean;
  add(key: K): void;
  /** Takes the next out; undefined: there is none for now. */
  take(): K | undefined;
  /** One that was taken is no longer worked on. */
  done(key: K): void;
  /** How many keys may be worked on at a time; any number until it is said. */
  set workers(workers: number);
}

/** In the order in which they came. */
export class OneAfterAnother<K> implements KeyOrder<K> {
  readonly #keys = new Fifo<K>();

  get size(): number {
    return this.#keys.size;
  }

  has(key: K): boolean {
    return this.#keys.has(key);
  }

  add(key: K): void {
    this.#keys.push(key);
  }

  take(): K | undefined {
    return this.#keys.shift();
  }

  done(): void {
    // Any number may be worked on.
  }

  set workers(_workers: number) {
    // They are all for whoever is next.
  }
}

/** Whose a key is, and how many of one owner are worked on at a time. */
export interface Sharing<K> {
  readonly ownerOf: (key: K) => string;
  /** Default: half of the workers, and one at least, so that whoever has much to be done leaves the others free. */
  readonly most?: number;
}

/** In turns of their owners, so that somebody with thousands of keys does not keep others waiting. */
export class OwnersInTurns<K> implements KeyOrder<K> {
  readonly #sharing: Sharing<K>;
  readonly #waiting = new FairQueue<K>();
  /** How many are worked on, by owner. */
  readonly #taken = new Map<string, number>();
  #most: number;

  constructor(sharing: Sharing<K>) {
    this.#sharing = sharing;
    this.#most = sharing.most ?? Number.POSITIVE_INFINITY;
  }

  set workers(workers: number) {
    this.#most = this.#sharing.most ?? Math.max(1, Math.floor(workers / 2));
  }

  get size(): number {
    return this.#waiting.size;
  }

  has(key: K): boolean {
    return this.#waiting.has(this.#sharing.ownerOf(key), key);
  }

  add(key: K): void {
    this.#waiting.push(this.#sharing.ownerOf(key), key);
  }

  take(): K | undefined {
    const key = this.#waiting.shiftOf((owner) => (this.#taken.get(owner) ?? 0) < this.#most);
    if (key === undefined) return undefined;
    const owner = this.#sharing.ownerOf(key);
    this.#taken.set(owner, (this.#taken.get(owner) ?? 0) + 1);
    return key;
  }

  done(key: K): void {
    const owner = this.#sharing.ownerOf(key);
    const left = (this.#taken.get(owner) ?? 0) - 1;
    if (left > 0) this.#taken.set(owner, left);
    else this.#taken.delete(owner);
  }
}
