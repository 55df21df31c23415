import type { KubeObject } from '@kubechain/apimachinery';
import { keyOf } from './object-key.ts';
import type { SharedInformer } from './shared-informer.ts';

/** What an informer shows, or what was written since, whichever is newer. */
export class NewestObjects<T extends KubeObject> {
  readonly #informer: SharedInformer<T>;
  /** At most one per object that was written and has not come back yet. */
  readonly #written = new Map<string, T>();

  constructor(informer: SharedInformer<T>) {
    this.#informer = informer;
    informer.addHandlers({
      onUpdate: (object) => {
        const written = this.#written.get(keyOf(object));
        if (written !== undefined && versionOf(object) >= versionOf(written)) this.#written.delete(keyOf(object));
      },
      onDelete: (object) => this.#written.delete(keyOf(object)),
    });
  }

  get(key: string): T | undefined {
    const shown = this.#informer.get(key);
    return shown === undefined ? undefined : this.#newer(key, shown);
  }

  /** Those that an index shows, as they were written since; and all that have just been written, whatever it shows. */
  byIndex(name: string, value: string): T[] {
    const found = new Map(this.#informer.byIndex(name, value).map((shown) => [keyOf(shown), shown]));
    for (const key of this.#written.keys()) {
      const shown = this.#informer.get(key);
      if (shown !== undefined) found.set(key, shown);
    }
    return Array.from(found, ([key, shown]) => this.#newer(key, shown));
  }

  /** Takes the answer to a write. The watch may have been quicker, and have shown it, or that it is gone. */
  wrote(object: T): T {
    const shown = this.#informer.get(keyOf(object));
    if (shown !== undefined && versionOf(shown) < versionOf(object)) this.#written.set(keyOf(object), object);
    return object;
  }

  #newer(key: string, shown: T): T {
    const written = this.#written.get(key);
    return written !== undefined &&
      versionOf(written) > versionOf(shown) &&
      written.metadata?.uid === shown.metadata?.uid
      ? written
      : shown;
  }
}

function versionOf({ metadata }: KubeObject): number {
  return Number(metadata?.resourceVersion ?? 0);
}
