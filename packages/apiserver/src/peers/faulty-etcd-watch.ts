import {
  EtcdError,
  type EtcdClient,
  type EtcdWatch,
  type EtcdWatchRequest,
  type EtcdWatchSink,
} from '@kubechain/shared-storage/etcd';
import type { PeerEffect } from './peer-call.ts';
import type { PeerFaults } from './peer-faults.ts';

interface FaultyWatchOptions {
  readonly client: EtcdClient;
  readonly faults: PeerFaults;
  readonly request: EtcdWatchRequest;
  readonly sink: EtcdWatchSink;
}

/**
 * A watch of the store that meets faults when it is opened, and when they change: it ends, or stands still until they
 * change again.
 */
export class FaultyWatch implements EtcdWatch {
  readonly #options: FaultyWatchOptions;
  readonly #forget: () => void;
  #inner: EtcdWatch | undefined = undefined;
  #ended = false;
  /** By the one that watches. */
  #paused = false;
  /** By a fault. */
  #held = false;
  /** Of the faults that it was last asked about. */
  #asked = 0;

  constructor(options: FaultyWatchOptions) {
    this.#options = options;
    const { faults } = options;
    this.#forget = faults.onChange(() => this.#meet());
    if (faults.has('store')) this.#meet();
    else this.#open();
  }

  cancel(): void {
    if (this.#inner === undefined) this.#end(undefined);
    else this.#inner.cancel();
  }

  requestProgress(): void {
    this.#inner?.requestProgress();
  }

  pause(): void {
    this.#paused = true;
    this.#inner?.pause();
  }

  resume(): void {
    this.#paused = false;
    if (!this.#held) this.#inner?.resume();
  }

  #meet(): void {
    const asked = ++this.#asked;
    const { faults, request } = this.#options;
    const taken = faults.take({ peer: 'store', name: request.key, verb: 'watch' }) ?? Promise.resolve(undefined);
    void taken.then((effect) => {
      if (!this.#ended && asked === this.#asked) this.#met(effect);
    });
  }

  #met(effect: PeerEffect | undefined): void {
    if (effect?.kind === 'refuse') {
      // First: a watch that is cancelled ends without an error.
      this.#end(new EtcdError('Unavailable', 'connection error: connection refused'));
      this.#inner?.cancel();
      return;
    }
    this.#held = effect?.kind === 'silence';
    if (this.#held) this.#inner?.pause();
    else if (this.#inner === undefined) this.#open();
    else if (!this.#paused) this.#inner.resume();
  }

  #open(): void {
    const { client, request, sink } = this.#options;
    this.#inner = client.watch(request, {
      created: (revision) => {
        if (!this.#ended) sink.created(revision);
      },
      events: (events, revision) => {
        if (!this.#ended) sink.events(events, revision);
      },
      progress: (revision) => {
        if (!this.#ended) sink.progress(revision);
      },
      end: (error) => this.#end(error),
    });
    if (this.#paused) this.#inner.pause();
  }

  #end(error: EtcdError | undefined): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#forget();
    this.#options.sink.end(error);
  }
}
