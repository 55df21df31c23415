import type { PeerCall, PeerEffect, PeerKind } from './peer-call.ts';

/** Decides about a call; undefined: nothing happens to it. */
export type DecidePeerFault = (call: PeerCall) => Promise<PeerEffect | undefined>;

const none: ReadonlySet<PeerKind> = new Set();

/**
 * Faults that calls of this process meet. Which kinds of calls could meet one is known here; about each of those calls
 * whoever keeps the faults decides, in this process or another, so that they are counted and drawn in one place.
 */
export class PeerFaults {
  #kinds = none;
  #decide: DecidePeerFault = () => Promise.resolve(undefined);
  readonly #listeners = new Set<() => void>();

  /**
   * What happens to a call; undefined at once where no fault is set for its kind. Never rejects: when the faults
   * cannot be asked for, the call is made as without any.
   */
  take(call: PeerCall): Promise<PeerEffect | undefined> | undefined {
    return this.#kinds.has(call.peer) ? this.#decide(call).catch(() => undefined) : undefined;
  }

  /** Whether calls of a kind could meet one. */
  has(kind: PeerKind): boolean {
    return this.#kinds.has(kind);
  }

  /** From now on. */
  change(kinds: ReadonlySet<PeerKind>, decide: DecidePeerFault): void {
    this.#kinds = kinds;
    this.#decide = decide;
    for (const listener of this.#listeners) listener();
  }

  /** Nobody keeps faults any more. */
  clear(): void {
    if (this.#kinds.size > 0) this.change(none, this.#decide);
  }

  /** Calls after each change; answers how to stop that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
