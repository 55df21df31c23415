import type { ObjectRecord, StorageInterface, Watch, WatchEvent } from '../storage/interfaces.ts';
import { stoppedBy, type WatchEnd } from '../storage/watch-end.ts';
import { AddedBytes } from '../storage/added-bytes.ts';
import { StorageError, isStorageError } from '../storage/errors.ts';
import { Backoff, type BackoffOptions, type TimerClock } from '@kubechain/apimachinery';

/**
 * Objects read from the store at once. Upstream takes 10,000; decoding a page holds up everybody else in this process,
 * at about 10 µs for an object of 1 KiB.
 */
const PAGE_SIZE = 2000;
/** Pauses after failures, with up to half of each added at random. */
const PAUSES: ReflectorPauses = { firstMs: 100, longestMs: 5000 };
/** A watch that lasted this long, or said anything, starts the pauses from the beginning. */
const STABLE_MS = 10_000;
/** Something unreadable so long after the last is a trouble of its own (client-go, NewRetryWithDeadline). */
const FORGOTTEN_MS = 60_000;

/** How long a reflector waits after failures, ms. */
export type ReflectorPauses = Pick<BackoffOptions, 'firstMs' | 'longestMs'>;

/** What the reflector keeps up to date. Everything is called in order and must not yield. */
export interface ReflectorTarget {
  /** The state at a revision, in key order. */
  replace(records: readonly ObjectRecord[], revision: number): void;
  /** One change; false asks the source to wait for `drained`. May throw: the state is then read again. */
  apply(record: ObjectRecord, deleted: boolean): boolean;
  /** Nothing changed up to `revision` but what was applied. May throw, as `apply`. */
  progress(revision: number): void;
  /** The state can no longer be kept up to date and is about to be read again. */
  lost(error: unknown): void;
  /** A request failed and will be repeated. */
  failed(error: unknown, what: 'list' | 'watch', retryInMs: number): void;
  /** A watch that was established has ended; once for each. When it `failed`, that is told as well. */
  ended(reason: WatchEnd): void;
}

export interface ReflectorOptions {
  readonly storage: StorageInterface;
  /** Key prefix of the resource, ending in '/'. */
  readonly prefix: string;
  readonly target: ReflectorTarget;
  readonly clock: TimerClock;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** Default: 100 ms to 5 s. */
  readonly pauses?: ReflectorPauses;
  /**
   * How long a watch that tells something unreadable is tried again, ms, before everything is read again
   * (MaxInternalErrorRetryDuration of client-go's reflector). Default: 0.
   */
  readonly unreadableForMs?: number;
}

/**
 * Follows a resource in the store: lists it, then watches from the list's revision. A watch that breaks is taken up
 * again where it was, so that nothing is missed and nobody notices; only when the store no longer has that history, or
 * the watch has told something impossible, is everything read again.
 */
export class Reflector {
  readonly #options: ReflectorOptions;
  readonly #abort = new AbortController();
  #done: Promise<void> | undefined;
  #watch: Watch | undefined;
  #endWatch: ((reason: WatchEnd) => void) | undefined;
  #wake: (() => void) | undefined;
  readonly #backoff: Backoff;
  /** The watch has worked since the last list: when the state is lost now, reading it again is likely to help. */
  #proven = false;
  /** When the watch told something unreadable for the first and for the last time since the list; ms. */
  #unreadable: { readonly sinceMs: number; readonly lastMs: number } | undefined;
  /** The target's revision; undefined when it has to be filled from a list. */
  #revision: number | undefined;

  constructor(options: ReflectorOptions) {
    this.#options = options;
    this.#backoff = new Backoff({ ...PAUSES, ...options.pauses, jitter: { part: 0.5, random: options.random } });
  }

  get connected(): boolean {
    return this.#watch !== undefined;
  }

  /** Idempotent. */
  start(): void {
    this.#done ??= this.#run();
  }

  /** Resolves when nothing is under way any more. */
  async stop(): Promise<void> {
    this.#abort.abort();
    this.#watch?.stop();
    this.#endWatch?.(stoppedBy());
    this.#wake?.();
    await this.#done;
  }

  /** The target can take more. */
  drained(): void {
    this.#watch?.drained();
  }

  /** Reads everything again, because the target is not to be trusted. */
  reinitialize(error: unknown): void {
    this.#lose(error);
    this.#watch?.stop();
    this.#endWatch?.(stoppedBy());
  }

  /** Takes up the watch again where it is, because it no longer says anything. */
  restartWatch(reason: string): void {
    this.#endWatch?.({ kind: 'failed', error: new StorageError('Unreachable', reason) });
  }

  #lose(error: unknown): void {
    if (this.#revision === undefined) return;
    this.#revision = undefined;
    this.#options.target.lost(error);
  }

  async #run(): Promise<void> {
    const { clock, target } = this.#options;
    while (!this.#abort.signal.aborted) {
      const what = this.#revision === undefined ? 'list' : 'watch';
      const startedAtMs = clock.now();
      let failure: unknown;
      try {
        if (this.#revision === undefined) await this.#list();
        else await this.#follow(this.#revision);
      } catch (error) {
        failure = error;
        if (!isTransient(error) && !(what === 'watch' && this.#triesAgain(error))) this.#lose(error);
      }
      if (this.#abort.signal.aborted) return;
      if (failure === undefined && what === 'list') continue;
      if (clock.now() - startedAtMs >= STABLE_MS) this.#proveStable();
      // Nobody can read until the lost state is back: the first attempt is made at once.
      const atOnce = this.#revision === undefined && what === 'watch' && this.#proven;
      const nextPauseMs = this.#backoff.next();
      const pauseMs = atOnce ? 0 : nextPauseMs;
      if (failure !== undefined) target.failed(failure, what, pauseMs);
      if (pauseMs > 0) await this.#pause(pauseMs);
    }
  }

  async #list(): Promise<void> {
    const { storage, prefix } = this.#options;
    const { signal } = this.#abort;
    let records: ObjectRecord[] = [];
    let page = await storage.getList(prefix, { limit: PAGE_SIZE, signal });
    const { resourceVersion } = page;
    // All pages are held at once.
    const added = new AddedBytes();
    added.add(page.addedBytes ?? 0, prefix);
    while (page.continue !== '') {
      records = records.concat(page.items);
      try {
        page = await storage.getList(prefix, { limit: PAGE_SIZE, continue: page.continue, signal });
      } catch (error) {
        if (!isStorageError(error, 'ResourceExpired')) throw error;
        // Compacted under our hands: one big list cannot be.
        page = await storage.getList(prefix, { signal });
        this.#install(page.items, page.resourceVersion);
        return;
      }
      added.add(page.addedBytes ?? 0, prefix);
    }
    if (signal.aborted) return;
    this.#install(records.length === 0 ? page.items : records.concat(page.items), resourceVersion);
  }

  #install(records: readonly ObjectRecord[], resourceVersion: string): void {
    const revision = Number(resourceVersion);
    this.#options.target.replace(records, revision);
    this.#proven = false;
    this.#unreadable = undefined;
    this.#revision = revision;
  }

  /** Whether a watch that has told something unreadable is taken up again where it was. */
  #triesAgain(error: unknown): boolean {
    const { clock, unreadableForMs = 0 } = this.#options;
    if (unreadableForMs <= 0 || !isStorageError(error, 'CorruptObject')) return false;
    const nowMs = clock.now();
    const known = this.#unreadable;
    const sinceMs = known === undefined || nowMs - known.lastMs >= FORGOTTEN_MS ? nowMs : known.sinceMs;
    this.#unreadable = { sinceMs, lastMs: nowMs };
    return nowMs - sinceMs <= unreadableForMs;
  }

  /** Resolves when the watch has ended; rejects when it failed or could not be established. */
  async #follow(revision: number): Promise<void> {
    const { storage, prefix, target } = this.#options;
    const ended = Promise.withResolvers<WatchEnd>();
    let over = false;
    const finish = (reason: WatchEnd): void => {
      if (over) return;
      over = true;
      ended.resolve(reason);
    };
    const watch = await storage.watch(
      prefix,
      { resourceVersion: String(revision), allowWatchBookmarks: true, signal: this.#abort.signal },
      {
        event: (event) => {
          if (over) return true;
          try {
            return this.#receive(event);
          } catch (error) {
            finish({ kind: 'failed', error: error instanceof Error ? error : new TypeError(String(error)) });
            return true;
          }
        },
        end: finish,
      },
    );
    this.#watch = watch;
    this.#endWatch = finish;
    // In case the target was full, and has had room again, before the watch was known here.
    watch.drained();
    if (this.#abort.signal.aborted) finish(stoppedBy());
    const reason = await ended.promise;
    this.#watch = undefined;
    this.#endWatch = undefined;
    watch.stop();
    target.ended(reason);
    if (reason.kind === 'failed') throw reason.error;
  }

  #proveStable(): void {
    this.#backoff.reset();
    this.#proven = true;
  }

  #receive(event: WatchEvent): boolean {
    if (event.type !== 'ERROR') this.#proveStable();
    const { target } = this.#options;
    switch (event.type) {
      case 'BOOKMARK':
        target.progress(event.revision);
        this.#revision = event.revision;
        return true;
      case 'ERROR':
        throw event.error;
      case 'ADDED':
      case 'MODIFIED':
      case 'DELETED': {
        const more = target.apply(event.record, event.type === 'DELETED');
        this.#revision = event.record.revision;
        return more;
      }
      default:
        event satisfies never;
        return true;
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        timer.cancel();
        this.#wake = undefined;
        resolve();
      };
      const timer = this.#options.clock.setTimer(wake, ms);
      this.#wake = wake;
    });
  }
}

/** Whether the same request may succeed later, with what is known still true. */
function isTransient(error: unknown): boolean {
  return (
    error instanceof StorageError &&
    (error.code === 'Unreachable' || error.code === 'Timeout' || error.code === 'NotReady' || error.code === 'Aborted')
  );
}
