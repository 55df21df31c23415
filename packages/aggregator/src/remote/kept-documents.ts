/** What a value takes in memory beside its text counts as so many bytes at the least. */
const valueBytes = 40;

/** What documents of extension API servers count that are kept, all together: none is kept beyond it. */
export class KeptDocuments {
  readonly #limitBytes: number;
  readonly #sizes = new Map<string, number>();
  #sum = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** Keeps one of so many bytes and values instead of what had the name before. False: there is no room, also for that. */
  keep(name: string, { bytes, values }: { readonly bytes: number; readonly values: number }): boolean {
    this.forget(name);
    const size = Math.max(bytes, values * valueBytes);
    if (this.#sum + size > this.#limitBytes) return false;
    this.#sizes.set(name, size);
    this.#sum += size;
    return true;
  }

  forget(name: string): void {
    this.#sum -= this.#sizes.get(name) ?? 0;
    this.#sizes.delete(name);
  }
}
