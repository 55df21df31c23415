import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { systemClock } from '@kubechain/apimachinery';
import { certifiedFromMs } from '../control/first-reading.ts';
import { locateDataDir } from '../data-dir/data-dir.ts';
import { LaunchError } from '../launch-error.ts';
import { hasCertificateFiles, makeCertificateFiles, type CertificateFiles } from '../pki/certificate-files.ts';
import { serverThread } from './server-thread.ts';
import type { AllInOne, AllInOneOptions } from './start.ts';
import { errorOf } from './thread-failure.ts';
import type { ClusterFacts, FromThread, ToThread } from './thread-messages.ts';

/** The program of the thread: beside this file, as a source or built. */
const threadMain = fileURLToPath(new URL(`./thread-main${extname(import.meta.url)}`, import.meta.url));

interface Started {
  /** Until then the thread does not know of it. */
  readonly told: PromiseWithResolvers<void>;
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
  /** Of clusters whose directory has none. Where the clock is moved, they last longer; with a seed, from earlier. */
  readonly #certificates = new Map<string, Promise<CertificateFiles>>();
  #worker: Worker | undefined;
  #lastId = 0;

  /** Resolves when the cluster is ready. @throws LaunchError in one line when it cannot start */
  async start({ onLog, ...options }: AllInOneOptions = {}): Promise<AllInOne> {
    const id = ++this.#lastId;
    const started: Started = {
      onLog,
      told: Promise.withResolvers(),
      ready: Promise.withResolvers(),
      ended: Promise.withResolvers(),
    };
    // Who starts the cluster hears of the one, who waits for its end of the other.
    for (const { promise } of [started.ready, started.ended]) promise.catch(() => undefined);
    this.#clusters.set(id, started);
    // It loads the servers in the time that the certificates take.
    this.#running();
    try {
      const certificates = await this.#certificatesFor(options);
      this.#tell({ kind: 'start', id, options: { ...certificates, ...options }, logs: onLog !== undefined });
    } catch (error) {
      failed(started, error);
      this.#forget(id);
    } finally {
      started.told.resolve();
    }
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
      [...this.#clusters].map(async ([id, { ended, told }]) => {
        await told.promise;
        this.#tell({ kind: 'close', id });
        await ended.promise.catch(() => undefined);
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

  /** None where they are given, or lie in the directory. */
  async #certificatesFor({
    certificates,
    dataDir,
    flags,
    seed,
  }: AllInOneOptions): Promise<Pick<AllInOneOptions, 'certificates'>> {
    if (certificates !== undefined) return {};
    if (dataDir !== undefined && hasCertificateFiles(locateDataDir(dataDir).pki)) return {};
    const lasting = flags?.some((flag) => flag.startsWith('--control-listen')) ?? false;
    const nowMs = certifiedFromMs(seed, systemClock.now());
    const kind = `${lasting} ${seed === undefined}`;
    const made = this.#certificates.get(kind) ?? makeCertificateFiles({ nowMs, lasting });
    this.#certificates.set(kind, made);
    try {
      return { certificates: await made };
    } catch (error) {
      this.#certificates.delete(kind);
      throw error;
    }
  }

  #tell(message: ToThread): void {
    this.#running().postMessage(message);
  }

  #running(): Worker {
    this.#worker ??= this.#begin();
    this.#worker.ref();
    return this.#worker;
  }

  #begin(): Worker {
    const worker = serverThread(threadMain);
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
        this.#forget(message.id);
        if (message.failure === undefined) started?.ended.resolve();
        else failed(started, errorOf(message.failure));
        return;
      default:
        message satisfies never;
    }
  }

  #forget(id: number): void {
    this.#clusters.delete(id);
    if (this.#clusters.size === 0) this.#worker?.unref();
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
