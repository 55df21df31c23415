import { setTimeout as delay } from 'node:timers/promises';
import type { Kubectl } from '../kubectl/kubectl.ts';

/** Creates ConfigMaps, one after another, until it is stopped, and knows which were confirmed. */
export class Writer {
  /** As kubectl names them: `configmap/NAME`. */
  readonly confirmed: string[] = [];
  readonly #stop = new AbortController();
  readonly #done: Promise<void>;

  constructor(kubectl: Kubectl, prefix: string) {
    this.#done = this.#write(kubectl, prefix);
  }

  /** Resolves to what was confirmed. */
  async stop(): Promise<readonly string[]> {
    this.#stop.abort();
    await this.#done;
    return this.confirmed;
  }

  async #write(kubectl: Kubectl, prefix: string): Promise<void> {
    for (let index = 0; !this.#stop.signal.aborted; index++) {
      const name = `${prefix}-${index}`;
      const { code } = await kubectl.run(['create', 'configmap', name, '--request-timeout=10s']);
      if (code === 0) this.confirmed.push(`configmap/${name}`);
      await delay(200);
    }
  }
}
