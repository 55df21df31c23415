import { loopTurns } from '@kubechain/apimachinery';
import type { WorkQueue } from './work-queue.ts';

export interface RunWorkersOptions<K> {
  readonly queue: WorkQueue<K>;
  /** Does what a key asks for. A rejection puts the key back with its delay. */
  readonly sync: (key: K) => Promise<void>;
  /** Keys worked on at a time (`--concurrent-…-syncs`). */
  readonly workers: number;
  /** Aborts when the process ends. */
  readonly signal: AbortSignal;
  /** Told of each rejection. Default: nobody. */
  readonly onError?: (error: unknown, key: K) => void;
  /** A key that failed so often is dropped until it is added anew. Default: never. */
  readonly maxRetries?: number;
}

/**
 * Works on keys until `signal` aborts; resolves when the last one is done. Shuts the queue down. Between two keys
 * others may have the thread: thousands about which nothing is to be done, or waited for, would be one long step.
 */
export async function runWorkers<K>(options: RunWorkersOptions<K>): Promise<void> {
  const { queue, workers, signal } = options;
  const stop = (): void => queue.shutDown();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  queue.workers = workers;
  await Promise.all(Array.from({ length: workers }, () => work(options)));
}

async function work<K>({ queue, sync, signal, onError, maxRetries }: RunWorkersOptions<K>): Promise<void> {
  for (;;) {
    const key = await queue.get();
    if (key === undefined || signal.aborted) return;
    try {
      await sync(key);
      queue.forget(key);
    } catch (error) {
      if (signal.aborted) return;
      onError?.(error, key);
      if (maxRetries !== undefined && queue.numRequeues(key) >= maxRetries) queue.forget(key);
      else queue.addRateLimited(key);
    } finally {
      queue.done(key);
    }
    const turn = loopTurns.next();
    if (turn !== undefined) await turn;
  }
}
