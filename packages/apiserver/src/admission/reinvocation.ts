/**
 * The second pass of mutating plugins over one request, and what they want to remember until then
 * (admission.ReinvocationContext).
 */
export class Reinvocation {
  readonly #notes = new Map<string, unknown>();
  #again = false;
  #asked = false;

  /** This is the second pass. */
  get again(): boolean {
    return this.#again;
  }
  /** A plugin wants one. */
  get asked(): boolean {
    return this.#asked;
  }

  ask(): void {
    this.#asked = true;
  }
  begin(): void {
    this.#again = true;
  }

  /** What a plugin keeps between the passes; made when it is first asked for. */
  note<T>(plugin: string, make: () => T): T {
    if (!this.#notes.has(plugin)) this.#notes.set(plugin, make());
    return this.#notes.get(plugin) as T;
  }
}
