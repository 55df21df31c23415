import { inRange, upperBound } from '../mvcc/key-range.ts';
import type { StoreEvent } from '../mvcc/key-record.ts';
import type { WatchCreateRequest } from '../proto/rpc-watch.ts';
import { WatchFilter } from '../proto/rpc-watch.ts';

/** One watch of one stream. */
export class Watcher {
  readonly id: number;
  readonly stream: WatchConsumer;
  readonly from: string;
  readonly upper: string | undefined;
  readonly prevKv: boolean;
  readonly fragment: boolean;
  readonly progressNotify: boolean;
  readonly #noPut: boolean;
  readonly #noDelete: boolean;
  /** The first revision whose events it has not been given. */
  nextRevision: number;
  /** Whether it is given events as they are committed, rather than read behind them. */
  synced = false;
  /** Whether it has been sent something since the last progress tick. */
  active = false;

  constructor(stream: WatchConsumer, id: number, request: WatchCreateRequest) {
    this.stream = stream;
    this.id = id;
    this.from = request.key === '' ? '\0' : request.key;
    this.upper = upperBound(this.from, request.rangeEnd);
    this.prevKv = request.prevKv;
    this.fragment = request.fragment;
    this.progressNotify = request.progressNotify;
    this.#noPut = request.filters.includes(WatchFilter.noPut);
    this.#noDelete = request.filters.includes(WatchFilter.noDelete);
    this.nextRevision = request.startRevision;
  }

  /** Whether the event belongs to this watch. */
  wants(event: StoreEvent): boolean {
    const record = event.record;
    if (record.modRevision < this.nextRevision || !inRange(record.key, this.from, this.upper)) return false;
    return record.version === 0 ? !this.#noDelete : !this.#noPut;
  }
}

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
