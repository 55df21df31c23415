import { sleep, systemClock, type TimerClock } from '@kubechain/apimachinery';
import type { EtcdClient, KeyValue } from '../etcd-client/etcd-client.ts';
import { isEtcdError } from '../etcd-client/etcd-error.ts';

/** Key with which processes agree on who compacts; the same as upstream's, so that both can run on one etcd. */
export const compactRevisionKey = 'compact_rev_key';

/** Before the key is read and watched, at first and again after a failure. */
const followPauseMs = 1_000;

export interface CompactorOptions {
  /**
   * Time between compactions, and the history that is kept (`--etcd-compaction-interval`, upstream 5 minutes). 0 =
   * never compact.
   */
  readonly intervalMs?: number;
  /** Called with the revision after this process has compacted. */
  readonly onCompacted?: (revision: number) => void;
  /** Told about failures; the next interval tries again. */
  readonly onError?: (error: unknown) => void;
  /** Default: the machine's. */
  readonly clock?: TimerClock;
  /** Resolves after so many milliseconds, rejects when the signal aborts; for tests. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** What one process knows of the compaction that all share. */
interface CompactionTime {
  /** Version of the key: how many rounds there have been. */
  readonly round: number;
  /** The store's revision when this round was seen: what the next round compacts to. */
  readonly revision: number;
}

/**
 * Forgets old revisions of all keys: every interval one process wins a compare-and-swap on `compact_rev_key` and
 * compacts to the revision of an interval ago (etcd3/compact.go).
 *
 *     time ──▶   t0            t1            t2
 *     winner     sees rev 10   compacts 10   compacts 25     (sees rev 25 at t1)
 *     others        lose: they take over the round and try again an interval later
 *
 * So history is kept for at least one interval and, when a winner dies, at most two. A watch on the key tells what
 * others compact as soon as they do: caches must not answer with states that the store has forgotten.
 */
export class Compactor {
  readonly #client: EtcdClient;
  readonly #intervalMs: number;
  readonly #options: CompactorOptions;
  readonly #wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly #stop = new AbortController();
  #time: CompactionTime = { round: 0, revision: 0 };
  #running: Promise<unknown> | undefined;
  #compactedRevision = 0;

  constructor(client: EtcdClient, options: CompactorOptions = {}) {
    this.#client = client;
    this.#options = options;
    this.#intervalMs = options.intervalMs ?? 5 * 60_000;
    const { clock = systemClock } = options;
    this.#wait =
      options.wait ??
      (async (ms, signal) => {
        await sleep(clock, ms, signal);
        signal.throwIfAborted();
      });
  }

  /** The latest revision that is known to be compacted, by whomever; 0 = none known. */
  get compactedRevision(): number {
    return this.#compactedRevision;
  }

  /** Begins; the first round is an interval away. Without an interval nothing is compacted, and nothing followed. */
  start(): void {
    if (this.#intervalMs > 0) this.#running ??= Promise.all([this.#run(), this.#follow()]);
  }

  /** Learns what anybody compacts. */
  async #follow(): Promise<void> {
    const wait = this.#wait;
    for (;;) {
      try {
        await wait(followPauseMs, this.#stop.signal);
      } catch {
        return;
      }
      try {
        const { kvs, revision } = await this.#client.range({ key: compactRevisionKey }, { signal: this.#stop.signal });
        this.#learn(kvs[0]);
        await this.#watchFrom(revision + 1);
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        this.#options.onError?.(error);
      }
    }
  }

  /** Resolves when the watch is cancelled, rejects when it breaks. */
  #watchFrom(startRevision: number): Promise<void> {
    const { signal } = this.#stop;
    return new Promise((resolve, reject) => {
      const watch = this.#client.watch(
        { key: compactRevisionKey, startRevision },
        {
          created: () => undefined,
          progress: () => undefined,
          events: (events) => {
            for (const { deleted, kv } of events) if (!deleted) this.#learn(kv);
          },
          end: (error) => {
            signal.removeEventListener('abort', cancel);
            if (error === undefined) resolve();
            else reject(error);
          },
        },
      );
      const cancel = (): void => watch.cancel();
      signal.addEventListener('abort', cancel, { once: true });
      if (signal.aborted) cancel();
    });
  }

  async #run(): Promise<void> {
    const wait = this.#wait;
    for (;;) {
      try {
        await wait(this.#intervalMs, this.#stop.signal);
      } catch {
        return;
      }
      try {
        await this.round();
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        this.#options.onError?.(error);
      }
    }
  }

  /** One round: win and compact, or learn from who has. @throws EtcdError */
  async round(): Promise<void> {
    const { round, revision } = this.#time;
    const { signal } = this.#stop;
    const response = await this.#client.txn(
      {
        compare: [{ key: compactRevisionKey, version: round }],
        success: [{ kind: 'put', request: { key: compactRevisionKey, value: Buffer.from(String(revision)) } }],
        failure: [{ kind: 'range', request: { key: compactRevisionKey } }],
      },
      { signal },
    );
    if (!response.succeeded) {
      const kv = response.responses[0]?.[0];
      this.#time = { round: kv?.version ?? 0, revision: response.revision };
      this.#learn(kv);
      return;
    }
    this.#time = { round: round + 1, revision: response.revision };
    // The first round only marks the time.
    if (revision === 0) return;
    try {
      await this.#client.compact(revision, { signal });
    } catch (error) {
      // Somebody has compacted further by hand: nothing is left to do.
      if (!isEtcdError(error, 'Compacted')) throw error;
    }
    this.#compacted(revision);
    this.#options.onCompacted?.(revision);
  }

  /** What the key says; somebody else's nonsense says nothing. */
  #learn(kv: KeyValue | undefined): void {
    if (kv !== undefined) this.#compacted(Number(kv.value.toString('latin1')));
  }

  #compacted(revision: number): void {
    if (Number.isSafeInteger(revision) && revision > this.#compactedRevision) this.#compactedRevision = revision;
  }

  /** Ends; resolves when nothing is under way. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }
}
