import { Backoff } from '@kubechain/apimachinery';
import { setTimeout as delay } from 'node:timers/promises';
import type { EncryptionFile } from './encryption-file.ts';
import type { EncryptionMetrics } from './encryption-metrics.ts';

export interface EncryptionReloaderOptions {
  readonly metrics: EncryptionMetrics;
  /** Told of each failure: the configuration before stays in use. */
  readonly onError: (error: unknown) => void;
  /** Told when a new configuration is in use. */
  readonly onReload?: () => void;
  /** Time between two looks at the file. Default 60,000, as upstream. */
  readonly pollMs?: number;
}

/** First pause after a failure; doubled each time, up to the time between two looks. */
const firstRetryMs = 100;

/**
 * Reads the file of `--encryption-provider-config` again while the server runs
 * (`--encryption-provider-config-automatic-reload`; encryptionconfig/controller, 1.36). Not as other files are
 * followed: plugins are asked before what is new counts, which takes its time, and what fails is tried again.
 */
export class EncryptionReloader {
  readonly #file: EncryptionFile;
  readonly #options: EncryptionReloaderOptions;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  constructor(file: EncryptionFile, options: EncryptionReloaderOptions) {
    this.#file = file;
    this.#options = options;
  }

  /** Looks at once, and then from time to time. Idempotent. */
  start(): void {
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    const { metrics, onError, onReload, pollMs = 60_000 } = this.#options;
    const retries = new Backoff({ firstMs: firstRetryMs, longestMs: pollMs });
    while (!signal.aborted) {
      let pauseMs = pollMs;
      try {
        if (await this.#file.reload()) {
          metrics.reloaded('success');
          onReload?.();
        }
        retries.reset();
      } catch (error) {
        if (signal.aborted) return;
        metrics.reloaded('failure');
        onError(error);
        pauseMs = retries.next();
      }
      await delay(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** Resolves when nothing is under way any more. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }
}
