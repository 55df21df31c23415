/** Told what an assembly does, in order; specs make openers fail here, and count what is closed. */
export interface AssemblyObserver {
  /** Before a part is opened. What it throws is taken for the opener's own failure. */
  opening?(name: string): void;
  /** Before a part is closed. */
  closing?(name: string): void;
}

/** A part was to be opened after the end of its assembly had begun. */
class AssemblyClosedError extends Error {
  override readonly name = 'AssemblyClosedError';

  constructor(part: string) {
    super(`${part} is not opened: what it is a part of has been closed`);
  }
}

interface Part {
  readonly name: string;
  readonly close: () => void | Promise<void>;
}

/**
 * Owns what a server is put together from. Each part says how it is closed where it is opened, so that nothing is left
 * open, whether the server stops or a later part fails to open:
 *
 *     open:   storage → security → admission → server          a failure here ─┐
 *     close:  storage ← security ← admission ← server    (at the stop, or now) ┘
 *
 * What AsyncDisposableStack does, which Node 22 does not have, and besides: parts have names, parts may be opened side
 * by side, and one that fails to close keeps none of the others open.
 */
export class Assembly {
  readonly #observer: AssemblyObserver;
  readonly #parts: Part[] = [];
  /** What is being opened: a part that comes after the end began is closed all the same. */
  readonly #opening = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  constructor(observer: AssemblyObserver = {}) {
    this.#observer = observer;
  }

  /**
   * Opens a part, at once or in a promise, and takes charge of its end. `close` is called once, after the closers of
   * everything that was opened later. Nothing is opened once the end has begun: what is opened side by side with a part
   * that fails comes too late, and nobody would close it.
   * @throws whatever `open` throws; AssemblyClosedError
   */
  open<T>(name: string, open: () => T, close: (part: Awaited<T>) => void | Promise<void>): T {
    if (this.#closed !== undefined) throw new AssemblyClosedError(name);
    this.#observer.opening?.(name);
    const opened = open();
    const keep = (part: Awaited<T>): Awaited<T> => {
      this.#parts.push({ name, close: () => close(part) });
      return part;
    };
    if (!(opened instanceof Promise)) return keep(opened as Awaited<T>);
    const kept = (opened as Promise<Awaited<T>>).then(keep);
    this.#opening.add(kept);
    const done = (): void => void this.#opening.delete(kept);
    kept.then(done, done);
    return kept as T;
  }

  /**
   * Closes all parts, the last opened first. Idempotent.
   * @throws the first closer's error, or an AggregateError of several, after all have been called
   */
  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#opening);
    const errors: unknown[] = [];
    for (let part = this.#parts.pop(); part !== undefined; part = this.#parts.pop()) {
      try {
        this.#observer.closing?.(part.name);
        await part.close();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1) throw new AggregateError(errors, `${errors.length} parts failed to close`);
  }
}
