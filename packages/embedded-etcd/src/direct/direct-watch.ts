import type { StoreEvent } from '../mvcc/key-record.ts';
import type { EventMessage } from '../proto/kv.ts';
import type { WatchCreateRequest } from '../proto/rpc-watch.ts';
import { eventMessage } from '../watch/encode-event.ts';
import type { WatchConsumer } from '../watch/watcher.ts';
import type { WatchHub } from '../watch/watch-hub.ts';
import { Watcher } from '../watch/watcher.ts';

/** Receives a watch, in order. What it throws ends the watch. */
export interface DirectWatchSink {
  /** The watch is registered at this revision. */
  created(revision: number): void;
  /** Changes of whole revisions; complete up to `revision`. */
  events(events: readonly EventMessage[], revision: number): void;
  progress(revision: number): void;
  /** Last, unless the watch was cancelled. */
  end(reason: DirectWatchEnd): void;
}

/** Why a watch ended that nobody cancelled. */
export type DirectWatchEnd =
  | { readonly kind: 'compacted' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** A watch without a connection: what a client's stream with one watch is, and nothing is encoded. */
export class DirectWatch implements WatchConsumer {
  readonly watchers = new Map<number, Watcher>();
  readonly #hub: WatchHub;
  readonly #sink: DirectWatchSink;
  #paused = false;
  #ended = false;
  #progressAsked = false;

  /** Begins in a microtask, so that the sink is never called before its owner has the watch. */
  constructor(hub: WatchHub, request: WatchCreateRequest, sink: DirectWatchSink) {
    this.#hub = hub;
    this.#sink = sink;
    queueMicrotask(() => {
      this.#begin(request);
    });
  }

  get congested(): boolean {
    return this.#paused;
  }

  sendEvents(watcher: Watcher, events: readonly StoreEvent[], revision: number): void {
    watcher.active = true;
    const messages = events.map((event) => eventMessage(this.#hub.store, event, watcher.prevKv));
    this.#tell(() => {
      this.#sink.events(messages, revision);
    });
  }

  sendCompacted(): void {
    this.#finish({ kind: 'compacted' });
  }

  sendProgress(_watcher: Watcher, revision: number): void {
    this.#tell(() => {
      this.#sink.progress(revision);
    });
  }

  answerProgress(): void {
    if (!this.#progressAsked) return;
    const revision = this.#hub.revision;
    for (const watcher of this.watchers.values()) {
      if (!watcher.synced) return;
      this.#progressAsked = false;
      if (watcher.nextRevision <= revision + 1) this.sendProgress(watcher, revision);
    }
  }

  end(): void {
    this.#finish({ kind: 'stopped' });
  }

  /** Ends the watch without a word. */
  cancel(): void {
    this.#ended = true;
    this.#hub.forget(this);
  }

  /** Asks for `progress`, which comes when all events up to it have been told. */
  requestProgress(): void {
    queueMicrotask(() => {
      this.#progressAsked = true;
      this.answerProgress();
    });
  }

  /** The hub keeps the events until `resume`. */
  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#hub.resume(this);
  }

  #begin(request: WatchCreateRequest): void {
    if (this.#ended) return;
    this.#hub.join(this);
    const watcher = new Watcher(this, 0, request);
    this.watchers.set(watcher.id, watcher);
    this.#tell(() => {
      this.#sink.created(this.#hub.revision);
    });
    if (this.watchers.has(watcher.id)) this.#hub.add(watcher);
  }

  /** A sink that fails must not break the commit that it is told of. */
  #tell(say: () => void): void {
    if (this.#ended) return;
    try {
      say();
    } catch (error) {
      this.#finish({ kind: 'failed', error });
    }
  }

  #finish(reason: DirectWatchEnd): void {
    if (this.#ended) return;
    this.cancel();
    this.#sink.end(reason);
  }
}
