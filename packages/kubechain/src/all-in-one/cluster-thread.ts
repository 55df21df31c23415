import { appendFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import { systemClock } from '@kubechain/apimachinery';
import { Logger, Logging } from '@kubechain/apiserver/logging';
import { ThreadWatchdog, type HeldLoop, type WorkBegins } from '@kubechain/apiserver/watchdog';
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
  readonly dataDir: string | undefined;
  readonly endWhenHeld: boolean;
  readonly ready: PromiseWithResolvers<ClusterFacts>;
  readonly ended: PromiseWithResolvers<void>;
}

/** What becomes of a cluster that does not go on. */
export interface ClusterThreadStart {
  /**
   * Ends the thread when one piece of work has held it for `--watchdog-timeout`: `ended` rejects then (LaunchError
   * `Held`), and it can be started again with what its directory has. A thread that cannot be ended, since it is not
   * in JavaScript, ends with the process. Default: it is told in the log, without the stack, and goes on for as long as
   * it likes: a thread is stopped for its stack until the loop of this one lets it go on, which may wait for an answer
   * of the cluster meanwhile (`execFileSync('kubectl')`).
   */
  readonly endWhenHeld?: boolean;
}

/** What a thread that is not in JavaScript may take to end. */
const endMs = 5_000;

const log = new Logger('watchdog');

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
  /** Of log lines, as its clusters have told last. */
  #format: WorkBegins['format'] = 'text';
  #lastId = 0;

  /** Resolves when the cluster is ready. @throws LaunchError in one line when it cannot start */
  async start(
    { onLog, ...options }: AllInOneOptions = {},
    { endWhenHeld = false }: ClusterThreadStart = {},
  ): Promise<AllInOne> {
    const id = ++this.#lastId;
    const started: Started = {
      onLog,
      endWhenHeld,
      dataDir: options.dataDir,
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
    // It may have had to be ended.
    if (this.#worker !== worker) return;
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
    let ended: LaunchError | undefined;
    const watchdog = new ThreadWatchdog({
      worker,
      // Where a test's own thread may wait for it, it must not wait for that one.
      mayInterrupt: () =>
        this.#clusters.size > 0 && [...this.#clusters.values()].every(({ endWhenHeld }) => endWhenHeld),
      onWentOn: (held) => {
        worker.postMessage({ kind: 'went-on', held } satisfies ToThread);
      },
      onHeld: (held) => {
        if (this.#worker !== worker || !this.#tellHeld(held)) return;
        ended = new LaunchError(
          'Held',
          `the event loop was held for ${Math.round(held.heldMs / 1_000)} s; the log says by what`,
        );
        endThread(worker);
      },
    });
    worker.on('message', (message: FromThread) => {
      if (message.kind !== 'work') {
        this.#heard(message);
        return;
      }
      this.#format = message.format;
      watchdog.work(message);
    });
    worker.once('error', (error) => {
      this.#allEnded(error);
    });
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
      watchdog.stop();
      this.#allEnded(ended ?? new LaunchError('Process', 'the thread of the cluster has ended'));
    });
    return worker;
  }

  /** In the log of each cluster, which the thread itself cannot write to. Whether the thread is to end. */
  #tellHeld(held: HeldLoop): boolean {
    const clusters = [...this.#clusters.values()];
    const ends = clusters.some(({ endWhenHeld }) => endWhenHeld);
    const message = ends ? 'the event loop is held; ending the thread' : 'the event loop is held';
    for (const { dataDir, onLog } of clusters) {
      const write = onLog ?? (dataDir === undefined ? undefined : appenderTo(dataDir));
      if (write === undefined) continue;
      new Logging({ verbosity: 0, format: this.#format, write }).run(() => {
        log.error(message, undefined, { ...held });
      });
    }
    return ends;
  }

  #heard(message: Exclude<FromThread, WorkBegins>): void {
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

function appenderTo(dataDir: string): (line: string) => void {
  return (line) => {
    try {
      appendFileSync(join(locateDataDir(dataDir).logs, 'all-in-one.log'), line, { mode: 0o600 });
    } catch {
      // A full disk: the rest is done all the same.
    }
  };
}

/** Wherever it is in JavaScript; else with the process, so that whoever supervises that starts it again. */
function endThread(worker: Worker): void {
  const timer = setTimeout(() => {
    process.stderr.write('the event loop is held, and its thread cannot be ended; ending the process\n');
    process.kill(process.pid, 'SIGKILL');
  }, endMs);
  worker.once('exit', () => {
    clearTimeout(timer);
  });
  void worker.terminate();
}

function failed(started: Started | undefined, error: unknown): void {
  started?.ready.reject(error);
  started?.ended.reject(error);
}
