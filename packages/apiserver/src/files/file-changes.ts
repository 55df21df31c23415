import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { fileStamp } from './file-stamp.ts';

/**
 * Tells when one of some files is not what it was: replaced, written, there again. What they are is noted when this is
 * made, so make it before you read them: node:fs's watchFile notes it some time later and misses what changes until
 * then.
 */
export class FileChanges {
  readonly #stamps: Map<string, string>;
  #timer: NodeJS.Timeout | undefined = undefined;
  #looking = false;

  constructor(paths: readonly string[]) {
    this.#stamps = new Map(paths.map((path) => [path, fileStamp(statSync(path, { throwIfNoEntry: false }))]));
  }

  /** Looks every `intervalMs` until `stop`, without keeping the process alive. */
  watch(onChange: () => void, intervalMs: number): void {
    this.#timer ??= setInterval(() => {
      void this.#look(onChange);
    }, intervalMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #look(onChange: () => void): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    let changed = false;
    for (const [path, before] of this.#stamps) {
      const now = fileStamp(await stat(path).catch(() => undefined));
      // A file that is gone is about to be replaced.
      if (now === before || now === '') continue;
      this.#stamps.set(path, now);
      changed = true;
    }
    this.#looking = false;
    if (changed && this.#timer !== undefined) onChange();
  }
}
