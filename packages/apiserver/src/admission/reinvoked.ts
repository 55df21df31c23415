import type { AdmissionAttributes } from './admission.ts';

/** What the second pass of webhooks or policies needs to know of the first (mutating/reinvocationcontext.go). */
export class Reinvoked {
  /** Those with policy IfNeeded that had their turn since the object last changed. */
  readonly #since = new Set<string>();
  /** Those of them that are due again, because it did. */
  readonly #again = new Set<string>();
  #output = '';

  /** The plugin's own account of a request. */
  static of({ reinvocation }: AdmissionAttributes, plugin: string): Reinvoked {
    return reinvocation.note(plugin, () => new Reinvoked());
  }

  get empty(): boolean {
    return this.#since.size + this.#again.size === 0;
  }
  isDue(key: string): boolean {
    return this.#again.has(key);
  }
  hadTurn(key: string): void {
    this.#since.add(key);
  }

  /** The object changed: whoever saw it before is due again. */
  changed(): void {
    for (const key of this.#since) this.#again.add(key);
    this.#since.clear();
  }

  /** Remembers the object as the plugin leaves it. */
  async leave(attributes: AdmissionAttributes): Promise<void> {
    this.#output = await textOf(attributes);
  }

  /** Whether others changed the object since the plugin left it. */
  async differs(attributes: AdmissionAttributes): Promise<boolean> {
    return this.#output !== '' && this.#output !== (await textOf(attributes));
  }
}

async function textOf({ kind, object, objects }: AdmissionAttributes): Promise<string> {
  return object === undefined ? 'null' : objects.encode(object, kind);
}
