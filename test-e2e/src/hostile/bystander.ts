import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Progress } from './controller-progress.ts';

/** What the thread is told, and what it tells. */
export interface BystanderReport {
  readonly slowestMs: number;
  readonly problems: readonly string[];
  /** What controllers took longest for; undefined: there are none. */
  readonly progress: Progress | undefined;
}

/** Where the thread asks, and whether it needs controllers. */
export interface BystanderData {
  readonly kubeconfig: string;
  readonly controlled: boolean;
}

/**
 * Somebody who goes on working meanwhile, and notices what is slow: in a thread of its own, so that it does not wait
 * for whoever is hostile.
 */
export class Bystander {
  readonly #worker: Worker;

  constructor(kubeconfig: string, { controlled = false }: { readonly controlled?: boolean } = {}) {
    const workerData: BystanderData = { kubeconfig, controlled };
    this.#worker = new Worker(new URL('./bystander-thread.ts', import.meta.url), { workerData });
  }

  /** The longest that it waited since the last call, which may not be over, and what failed. */
  async take(): Promise<BystanderReport> {
    this.#worker.postMessage('take');
    const [report] = (await once(this.#worker, 'message')) as [BystanderReport];
    return report;
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
