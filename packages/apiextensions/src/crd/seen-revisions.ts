/** Waits for what was written to come back from storage, as all processes that follow it see it. */
export class SeenRevisions {
  readonly #seen = new Map<string, number>();
  readonly #waiters = new Map<string, { readonly revision: number; readonly resolve: () => void }[]>();
  #stopped = false;

  /** An object came from storage. */
  see(name: string, revision: number): void {
    this.#seen.set(name, revision);
    const waiters = this.#waiters.get(name) ?? [];
    for (const waiter of waiters) if (waiter.revision <= revision) waiter.resolve();
    const left = waiters.filter((waiter) => waiter.revision > revision);
    if (left.length === 0) this.#waiters.delete(name);
    else this.#waiters.set(name, left);
  }

  /** An object is gone: nobody waits for it any more. */
  forget(name: string): void {
    this.see(name, Infinity);
    this.#seen.delete(name);
  }

  /** Resolves when the object has been seen at this revision or later, is gone, or nobody looks any more. */
  wait(name: string, revision: number): Promise<void> {
    if (this.#stopped || (this.#seen.get(name) ?? 0) >= revision) return Promise.resolve();
    return new Promise((resolve) => {
      const waiters = this.#waiters.get(name) ?? [];
      waiters.push({ revision, resolve });
      this.#waiters.set(name, waiters);
    });
  }

  stop(): void {
    this.#stopped = true;
    for (const name of this.#waiters.keys()) this.forget(name);
  }
}
