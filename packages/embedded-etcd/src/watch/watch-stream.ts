import type { StreamHandler, StreamReplies } from '../grpc/method.ts';
import { replyHeader } from '../proto/response-header.ts';
import type { StoreEvent } from '../mvcc/key-record.ts';
import { decode, encodeFrame } from '../proto/message.ts';
import type { WatchCreateRequest } from '../proto/rpc-watch.ts';
import { WatchRequest, WatchResponse } from '../proto/rpc-watch.ts';
import { encodeEvent } from './encode-event.ts';
import { fragments } from './fragments.ts';
import type { WatchHub } from './watch-hub.ts';
import type { WatchConsumer } from './watcher.ts';
import { Watcher } from './watcher.ts';

/**
 * Bytes queued towards one client before its watchers stop being fed; they go on
 * from the history when the client has read. So a client that does not read
 * costs this much and no more, plus one reply.
 */
const QUEUE_LIMIT_BYTES = 2 * 1024 * 1024;
/** etcd's id for replies that concern the whole stream. */
const ALL_WATCHES = -1;

interface ReplyParts {
  readonly revision: number;
  readonly watchId: number;
  readonly created?: boolean;
  readonly canceled?: boolean;
  readonly compactRevision?: number;
  readonly cancelReason?: string;
}

/** One client's Watch stream with all its watches. */
export class WatchStream implements StreamHandler, WatchConsumer {
  readonly watchers = new Map<number, Watcher>();
  readonly #hub: WatchHub;
  readonly #replies: StreamReplies;
  /** Watches that compaction ended and the client has not cancelled: etcd keeps their ids taken until then. */
  readonly #ended = new Set<number>();
  #nextId = 0;
  #progressAsked = false;

  constructor(hub: WatchHub, replies: StreamReplies) {
    this.#hub = hub;
    this.#replies = replies;
  }

  /** Whether the client reads too slowly to be sent more. */
  get congested(): boolean {
    return this.#replies.queuedBytes > QUEUE_LIMIT_BYTES;
  }

  message(bytes: Buffer): void {
    const request = decode(WatchRequest, bytes);
    if (request.createRequest !== undefined) this.#create(request.createRequest);
    else if (request.cancelRequest !== undefined) this.#cancel(request.cancelRequest.watchId);
    else if (request.progressRequest !== undefined) {
      this.#progressAsked = true;
      this.answerProgress();
    }
  }

  halfClosed(): void {
    // As in etcd, a client that has no more requests still gets its events.
  }

  drained(): void {
    this.#hub.resume(this);
  }

  closed(): void {
    this.#hub.forget(this);
  }

  /** Ends the stream: the server stops. */
  end(): void {
    this.#replies.fail('stopped');
  }

  /** Sends a watcher its events; the header says up to which revision it is complete. */
  sendEvents(watcher: Watcher, events: readonly StoreEvent[], revision: number): void {
    watcher.active = true;
    const encoded = events.map((event) => encodeEvent(this.#hub.store, event, watcher.prevKv));
    if (!watcher.fragment) {
      this.#send({ revision, watchId: watcher.id }, encoded);
      return;
    }
    for (const part of fragments(encoded)) this.#send({ revision, watchId: watcher.id }, part.events, part.more);
  }

  /** Ends a watch whose next revision has been compacted. */
  sendCompacted(watcher: Watcher, compactRevision: number): void {
    this.watchers.delete(watcher.id);
    this.#ended.add(watcher.id);
    this.#send({ revision: 0, watchId: watcher.id, canceled: true, compactRevision });
  }

  /** Tells a watcher that it is complete up to `revision`. */
  sendProgress(watcher: Watcher, revision: number): void {
    this.#send({ revision, watchId: watcher.id });
  }

  /**
   * Answers a progress request once every watch of the stream has all events;
   * etcd drops the request when one has not, here it waits for it.
   */
  answerProgress(): void {
    if (!this.#progressAsked) return;
    const revision = this.#hub.revision;
    for (const watcher of this.watchers.values()) {
      if (!watcher.synced) return;
      if (watcher.nextRevision > revision + 1) {
        this.#progressAsked = false;
        return;
      }
    }
    this.#progressAsked = false;
    if (this.watchers.size > 0) this.#send({ revision, watchId: ALL_WATCHES });
  }

  #create(request: WatchCreateRequest): void {
    const revision = this.#hub.revision;
    const refusal = this.#refusal(request);
    if (refusal !== undefined) {
      this.#send({ revision, watchId: ALL_WATCHES, created: true, canceled: true, cancelReason: refusal });
      return;
    }
    let id = request.watchId;
    if (id === 0) {
      while (this.#isTaken(this.#nextId)) this.#nextId++;
      id = this.#nextId++;
    }
    const watcher = new Watcher(this, id, request);
    this.watchers.set(id, watcher);
    this.#send({ revision, watchId: id, created: true });
    this.#hub.add(watcher);
  }

  #refusal(request: WatchCreateRequest): string | undefined {
    const key = request.key === '' ? '\0' : request.key;
    const openEnded = request.rangeEnd === '' || request.rangeEnd === '\0';
    if (!openEnded && key >= request.rangeEnd) return 'mvcc: watcher range is empty';
    if (request.watchId !== 0 && this.#isTaken(request.watchId))
      return 'mvcc: duplicate watch ID provided on the WatchStream';
    return undefined;
  }

  #isTaken(id: number): boolean {
    return this.watchers.has(id) || this.#ended.has(id);
  }

  #cancel(id: number): void {
    const watcher = this.watchers.get(id);
    if (watcher === undefined && !this.#ended.delete(id)) return;
    this.watchers.delete(id);
    if (watcher !== undefined) this.#hub.remove(watcher);
    this.#send({ revision: this.#hub.revision, watchId: id, canceled: true });
  }

  #send(parts: ReplyParts, events: readonly Uint8Array[] = [], fragment = false): void {
    let size = 96;
    for (const event of events) size += event.length + 6;
    const response = {
      header: replyHeader(this.#hub.identity, parts.revision),
      watchId: parts.watchId,
      created: parts.created === true,
      canceled: parts.canceled === true,
      compactRevision: parts.compactRevision ?? 0,
      cancelReason: parts.cancelReason ?? '',
      fragment,
      events,
    };
    this.#replies.send(encodeFrame(WatchResponse, response, size));
  }
}

/** Opens a client's stream: the hub feeds its watchers until the client is gone. */
export function openWatchStream(hub: WatchHub, replies: StreamReplies): WatchStream {
  const stream = new WatchStream(hub, replies);
  hub.join(stream);
  return stream;
}
