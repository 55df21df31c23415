import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { bundledPrograms } from '../bundle/bundled-programs.ts';
import { compileCacheDirectory } from '../bundle/compile-cache.ts';
import { LaunchError } from '../launch-error.ts';
import type { AllInOne, AllInOneOptions } from './start.ts';
import type { ClusterFacts, Failure, FromThread, ToThread } from './thread-messages.ts';

/** The program of the thread: beside this file, as a source or built. */
const threadMain = fileURLToPath(new URL(`./thread-main${extname(import.meta.url)}`, import.meta.url));

interface Started {
  readonly onLog: ((line: string) => void) | undefined;
  readonly ready: PromiseWithResolvers<ClusterFacts>;
  readonly ended: PromiseWithResolvers<void>;
}

/**
 * A thread that clusters run on: they answer too while this thread is busy, or stopped in a debugger. Each is what
 * `startAllInOne` runs; the second starts in a third of the first one's time, with the certificates of the first where
 * its data directory has none. Nothing of the servers is loaded
 * here. The thread begins with the first cluster, does not keep the process alive while it has none, and ends with it.
 *
 *     const thread = new ClusterThread();
 *     const cluster = await thread.start();
 *     …
 *     await cluster.close();
 *     await thread.close();
 */
export class ClusterThread {
  readonly #clusters = new Map<number, Started>();
  #worker: Worker | undefined;
  #lastId = 0;

  /** Resolves when the cluster is ready. @throws LaunchError in one line when it cannot start */
  async start({ onLog, ...options }: AllInOneOptions = {}): Promise<AllInOne> {
    const id = ++this.#lastId;
    const started: Started = { onLog, ready: Promise.withResolvers(), ended: Promise.withResolvers() };
    // Who starts the cluster hears of the one, who waits for its end of the other.
    for (const { promise } of [started.ready, started.ended]) promise.catch(() => undefined);
    this.#clusters.set(id, started);
    this.#tell({ kind: 'start', id, options, logs: onLog !== undefined });
    const facts = await started.ready.promise;
    return {
      ...facts,
      ended: started.ended.promise,
      close: async () => {
        if (this.#clusters.has(id)) this.#tell({ kind: 'close', id });
        await started.ended.promise.catch(() => undefined);
      },
    };
  }

  /** Closes all clusters, and ends the thread. Another `start` begins a new one. */
  async close(): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    await Promise.all(
      [...this.#clusters].map(([id, { ended }]) => {
        this.#tell({ kind: 'close', id });
        return ended.promise.catch(() => undefined);
      }),
    );
    this.#worker = undefined;
    const exited = new Promise<void>((resolve) => {
      worker.once('exit', () => {
        resolve();
      });
    });
    worker.ref();
    worker.postMessage({ kind: 'exit' } satisfies ToThread);
    await exited;
  }

  #tell(message: ToThread): void {
    this.#worker ??= this.#begin();
    this.#worker.ref();
    this.#worker.postMessage(message);
  }

  #begin(): Worker {
    const main = bundledPrograms()?.get(threadMain) ?? threadMain;
    const worker = new Worker(main, {
      env: { ...process.env, NODE_COMPILE_CACHE: compileCacheDirectory(main) },
      // In place of this process's own: loaders of a test runner have no business there.
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    worker.on('message', (message: FromThread) => {
      this.#heard(message);
    });
    worker.once('error', (error) => {
      this.#allEnded(error);
    });
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
      this.#allEnded(new LaunchError('Process', 'the thread of the cluster has ended'));
    });
    return worker;
  }

  #heard(message: FromThread): void {
    const started = this.#clusters.get(message.id);
    switch (message.kind) {
      case 'ready':
        started?.ready.resolve(message.facts);
        return;
      case 'log':
        started?.onLog?.(message.line);
        return;
      case 'ended':
        this.#clusters.delete(message.id);
        if (this.#clusters.size === 0) this.#worker?.unref();
        if (message.failure === undefined) started?.ended.resolve();
        else failed(started, errorOf(message.failure));
        return;
      default:
        message satisfies never;
    }
  }

  #allEnded(error: unknown): void {
    for (const started of this.#clusters.values()) failed(started, error);
    this.#clusters.clear();
  }
}

function failed(started: Started | undefined, error: unknown): void {
  started?.ready.reject(error);
  started?.ended.reject(error);
}

function errorOf({ message, stack }: Failure): Error {
  if (stack === undefined) return new LaunchError('Process', message);
  const error = new TypeError(message);
  error.stack = stack;
  return error;
}
