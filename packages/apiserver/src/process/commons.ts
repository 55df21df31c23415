/** Names something that servers may share, and says of what type it is. */
export class CommonPart<T> {
  readonly name: string;
  /** For the type alone: what is kept under it is a `T`. */
  declare readonly kept: T;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * What servers that are made alike, one for each tenant, have in common: the first of them makes it, the others use it.
 * Only what nobody changes, and what depends neither on objects nor on who is asked.
 */
export class Commons {
  readonly #parts = new Map<CommonPart<unknown>, unknown>();

  get<T>(part: CommonPart<T>): T | undefined {
    return this.#parts.get(part) as T | undefined;
  }

  /** What is kept under `part`, made now when nobody has. */
  once<T>(part: CommonPart<T>, make: () => T): T {
    if (!this.#parts.has(part)) this.#parts.set(part, make());
    return this.#parts.get(part) as T;
  }
}

/** The same for a server that may have nothing in common with others. */
export function commonly<T>(commons: Commons | undefined, part: CommonPart<T>, make: () => T): T {
  return commons === undefined ? make() : commons.once(part, make);
}
