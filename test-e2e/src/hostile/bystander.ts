import type { Client } from '../harness/client.ts';

/** Somebody who goes on working meanwhile, and notices what is slow. */
export class Bystander {
  readonly #client: Client;
  #stopped = false;
  #slowestMs = 0;
  #since = 0;
  readonly #waitingSince = new Map<string, number>();
  readonly problems: string[] = [];
  readonly #done: Promise<unknown>;

  constructor(client: Client) {
    this.#client = client;
    this.#done = Promise.all([
      this.#ask('/api/v1/namespaces/default'),
      this.#ask('/apis/apiregistration.k8s.io/v1/apiservices/v1.'),
      this.#ask('/apis/apiextensions.k8s.io/v1/customresourcedefinitions?limit=1'),
    ]);
  }

  /** The longest that it waited since the last call; one that waits still counts with what it has waited. */
  takeSlowestMs(): number {
    const now = performance.now();
    const slowest = [...this.#waitingSince.values()].map((since) => now - Math.max(since, this.#since));
    const slowestMs = Math.max(this.#slowestMs, ...slowest);
    this.#slowestMs = 0;
    this.#since = now;
    return slowestMs;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#done;
  }

  async #ask(path: string): Promise<void> {
    while (!this.#stopped) {
      const startedAt = performance.now();
      this.#waitingSince.set(path, startedAt);
      try {
        const { status } = await this.#client.get(path);
        if (status !== 200) this.problems.push(`${path} answered ${status}`);
      } catch (error) {
        this.problems.push(`${path}: ${String(error)}`);
      }
      this.#waitingSince.delete(path);
      this.#slowestMs = Math.max(this.#slowestMs, performance.now() - Math.max(startedAt, this.#since));
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
}
