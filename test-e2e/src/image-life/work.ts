import { setTimeout as delay } from 'node:timers/promises';
import type { Client, WatchStream } from '../harness/client.ts';

const PATH = '/api/v1/namespaces/default/configmaps';
const WATCHES = 8;
/** Objects that are there at a time. */
const KEPT = 200;

/** What clients of a cluster that is used a little do: rounds of a write, a change, a read and a deletion. */
export class Work {
  rounds = 0;
  failed = 0;
  readonly #client: Client;
  readonly #rate: number;
  readonly #watches: WatchStream[] = [];

  /** `rate`: rounds a second. */
  constructor(client: Client, rate: number) {
    this.#client = client;
    this.#rate = rate;
  }

  async goesOnFor(ms: number): Promise<void> {
    const endsMs = performance.now() + ms;
    // Watches end by themselves after a while, as they do everywhere.
    for (const stream of this.#watches.splice(0)) stream.close();
    for (let count = 0; count < WATCHES; count++) this.#watches.push(await this.#client.watch(`${PATH}?watch=1`));
    while (performance.now() < endsMs) {
      await Promise.all([this.#round(), delay(1000 / this.#rate)]);
    }
  }

  /** Goes on until the server is gone. */
  async untilItEnds(): Promise<void> {
    while (await this.#round());
    for (const stream of this.#watches.splice(0)) stream.close();
  }

  /** Resolves to whether all of it was answered well. */
  async #round(): Promise<boolean> {
    const name = `round-${this.rounds++}`;
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { text: name.repeat(50) } };
    const requests = [
      () => this.#client.post(PATH, object),
      () => this.#client.patch(`${PATH}/${name}`, 'merge-patch', { data: { more: name } }),
      () => this.#client.get(`${PATH}/${name}`),
      ...(this.rounds % 10 === 0 ? [() => this.#client.get(`${PATH}?limit=50`)] : []),
      ...(this.rounds > KEPT ? [() => this.#client.delete(`${PATH}/round-${this.rounds - KEPT}`)] : []),
    ];
    try {
      for (const request of requests) {
        const { status, text } = await request();
        if (status >= 300) throw new Error(`${status}: ${text}`);
      }
      return true;
    } catch {
      this.failed++;
      return false;
    }
  }
}
