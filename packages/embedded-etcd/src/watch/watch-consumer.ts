import type { StoreEvent } from '../mvcc/key-record.ts';
import type { Watcher } from './watcher.ts';

/** Whom the hub feeds: a client's stream, or a watch in the same process. */
export interface WatchConsumer {
  /** The hub adds none; it removes them when the consumer is gone. */
  readonly watchers: Map<number, Watcher>;
  /** Whether it reads too slowly to be sent more; its watchers then go on from the history. */
  readonly congested: boolean;
  /** Sends a watcher its events; it is complete up to `revision`. */
  sendEvents(watcher: Watcher, events: readonly StoreEvent[], revision: number): void;
  /** Ends a watch whose next revision has been compacted. */
  sendCompacted(watcher: Watcher, compactRevision: number): void;
  /** Tells a watcher that it is complete up to `revision`. */
  sendProgress(watcher: Watcher, revision: number): void;
  /** Answers a progress request that waits for watchers to catch up, if there is one. */
  answerProgress(): void;
  /** The store stops. */
  end(): void;
}
