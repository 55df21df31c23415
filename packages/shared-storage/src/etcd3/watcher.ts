import { selects } from '../storage/selects.ts';
import { StorageError } from '../storage/errors.ts';
import type {
  ObjectRecord,
  SelectionPredicate,
  Watch,
  WatchEvent,
  WatchOptions,
  WatchSink,
} from '../storage/interfaces.ts';
import { parseBareResourceVersion } from '../storage/resource-version.ts';
import { prepareKey } from '../storage/storage-key.ts';
import { stoppedBy, type WatchEnd } from '../storage/watch-end.ts';
import type { EtcdEvent, EtcdWatch } from '../etcd-client/etcd-client.ts';
import type { EtcdError } from '../etcd-client/etcd-error.ts';
import { isEtcdError } from '../etcd-client/etcd-error.ts';
import { prefixRangeEnd } from '../etcd-client/prefix-range.ts';
import { currentRevision } from './count.ts';
import { toStorageError, tooLargeResourceVersion, watchExpiredMessage } from './storage-errors.ts';
import { decodeRecord, measuredRange, turnBytes, untransform } from './store-context.ts';
import type { StoreContext } from './store-context.ts';

/** Keys read at once for the initial state; the next page is read when the sink has taken this one. */
const initialPageSize = 500;

/** What waits to be decoded and handed to the sink. */
type Pending =
  | { readonly kind: 'change'; readonly event: EtcdEvent }
  | { readonly kind: 'bookmark'; readonly revision: number; readonly initialEventsEnd: boolean };

/**
 * Opens a watch on etcd (storage.Interface.Watch). Events may reach the sink before the promise settles.
 *
 *   etcd stream ──pause/resume── #pending ──decode, select── sink
 *
 * `#pending` is filled only while the sink refuses events or a transformer fetches a key; the stream is paused then,
 * so that it holds what etcd had already sent (at most one HTTP/2 window, 4 MiB). Nothing is dropped: etcd keeps
 * what is not read.
 */
export async function watch(
  context: StoreContext,
  key: string,
  request: {
    readonly options: WatchOptions;
    readonly sink: WatchSink;
    readonly opened: (watch: StoreWatch) => void;
    readonly closed: (watch: StoreWatch) => void;
  },
): Promise<StoreWatch> {
  const { options } = request;
  const recursive = options.recursive ?? true;
  const prepared = prepareKey(context.keyRoot, key, recursive);
  const requested = parseBareResourceVersion(options.resourceVersion ?? '');
  const initialEvents = options.sendInitialEvents ?? requested === 0;
  let revision = requested;
  if (initialEvents ? requested > 0 : requested === 0) {
    const now = await currentRevision(context, options.signal);
    if (requested > now) throw tooLargeResourceVersion(prepared, requested, now);
    revision = now;
  }
  const storeWatch = new StoreWatch(context, prepared, {
    options,
    recursive,
    sink: request.sink,
    closed: request.closed,
  });
  request.opened(storeWatch);
  await storeWatch.open(revision, initialEvents);
  return storeWatch;
}

interface StoreWatchOptions {
  readonly options: WatchOptions;
  readonly recursive: boolean;
  readonly sink: WatchSink;
  readonly closed: (watch: StoreWatch) => void;
}

/** Events of so many bytes are decoded in one turn of the loop, in some tens of milliseconds; a larger one is alone. */
const BYTES_OF_A_TURN = 1024 * 1024;

/** One open watch of the store. */
export class StoreWatch implements Watch {
  readonly #context: StoreContext;
  readonly #key: string;
  readonly #recursive: boolean;
  readonly #sink: WatchSink;
  readonly #closed: (watch: StoreWatch) => void;
  readonly #options: WatchOptions;
  /** Undefined = everything matches. */
  readonly #filter: SelectionPredicate | undefined;
  #etcdWatch: EtcdWatch | undefined;
  readonly #pending: Pending[] = [];
  /** An event is being decoded asynchronously. */
  #decoding = false;
  /** What comes next waits for the loop to go round. */
  #resting = false;
  /** Of events since it went round for them. */
  #bytes = 0;
  /** The sink is full. */
  #blocked = false;
  #ended = false;
  /** Resolves what waits for the sink. */
  #unblocked: (() => void) | undefined;
  /** Ends the watch once everything pending has been delivered. */
  #failure: StorageError | undefined;
  readonly #abort = (): void => this.terminate(stoppedBy(this.#options.signal));

  constructor(context: StoreContext, key: string, { options, recursive, sink, closed }: StoreWatchOptions) {
    this.#context = context;
    this.#key = key;
    this.#recursive = recursive;
    this.#sink = sink;
    this.#closed = closed;
    this.#options = options;
    this.#filter = options.predicate === undefined || options.predicate.empty ? undefined : options.predicate;
    options.signal?.addEventListener('abort', this.#abort);
  }

  /** @internal Starts; resolves when etcd has registered the watch, or the initial state has begun to flow. */
  async open(revision: number, initialEvents: boolean): Promise<void> {
    if (this.#options.signal?.aborted === true) this.#abort();
    if (!initialEvents) {
      await this.#subscribe(revision);
      return;
    }
    const start = Promise.withResolvers<void>();
    void this.#sendInitialState(start.resolve)
      .then(
        (synced) => (this.#ended ? undefined : this.#subscribe(synced)),
        (error: unknown) => this.#fail(toStorageError(error, this.#key)),
      )
      .finally(start.resolve);
    await start.promise;
  }

  /** Sends what is stored as ADDED; resolves to the revision of that state. */
  async #sendInitialState(started: () => void): Promise<number> {
    const rangeEnd = this.#recursive ? { rangeEnd: prefixRangeEnd(this.#key) } : {};
    let revision = 0;
    let key = this.#key;
    let turns = 0;
    for (let more = true; more && !this.#ended;) {
      const response = await measuredRange(this.#context, this.#recursive ? 'list' : 'get', {
        range: { key, ...rangeEnd, revision, limit: initialPageSize },
        options: { signal: this.#options.signal },
      });
      started();
      if (revision === 0) revision = response.revision;
      more = response.more;
      let sinceTurn = turnBytes;
      for (const kv of response.kvs) {
        if (sinceTurn >= turnBytes) {
          sinceTurn = 0;
          await this.#context.turns.take(turns++);
          if (this.#ended) return revision;
        }
        const untransformed = untransform(this.#context, kv.value, kv.key);
        const { value } = untransformed instanceof Promise ? await untransformed : untransformed;
        const record = decodeRecord(this.#context, { key: kv.key, value, revision: kv.modRevision });
        sinceTurn += record.json.length;
        if (this.#filter === undefined || selects(this.#filter, record)) this.#send({ type: 'ADDED', record });
        if (this.#blocked)
          await new Promise<void>((resolve) => {
            this.#unblocked = resolve;
          });
        if (this.#ended) return revision;
        key = `${kv.key}\0`;
      }
    }
    if (!this.#ended && this.#options.sendInitialEvents === true && this.#options.allowWatchBookmarks === true)
      this.#send({ type: 'BOOKMARK', revision, initialEventsEnd: true });
    return revision;
  }

  /** Watches what comes after `revision`; resolves when etcd has registered the watch or it has failed. */
  #subscribe(revision: number): Promise<void> {
    if (this.#ended) return Promise.resolve();
    return new Promise((resolve) => {
      this.#etcdWatch = this.#context.client.watch(
        {
          key: this.#key,
          ...(this.#recursive ? { rangeEnd: prefixRangeEnd(this.#key) } : {}),
          startRevision: revision + 1,
          prevKv: true,
          progressNotify: this.#options.allowWatchBookmarks === true,
        },
        {
          created: () => resolve(),
          events: (events) => this.#receive(events),
          progress: (progressed) => {
            // Answers to a watch that starts in the future tell a revision before its start.
            if (this.#options.allowWatchBookmarks === true && progressed >= revision)
              this.#queue({ kind: 'bookmark', revision: progressed, initialEventsEnd: false });
          },
          end: (error) => {
            resolve();
            if (error !== undefined) this.#failWith(error);
          },
        },
      );
      if (this.#blocked) this.#etcdWatch.pause();
    });
  }

  #receive(events: readonly EtcdEvent[]): void {
    this.#context.metrics.events(events.length);
    for (const event of events) {
      if (this.#ended) return;
      this.#queue({ kind: 'change', event });
    }
  }

  #queue(pending: Pending): void {
    if (this.#ended) return;
    if (this.#waits || this.#pending.length > 0) {
      this.#pending.push(pending);
      return;
    }
    this.#process(pending);
  }

  #process(pending: Pending): void {
    if (pending.kind === 'bookmark') {
      this.#context.metrics.bookmark();
      this.#send({ type: 'BOOKMARK', revision: pending.revision, initialEventsEnd: pending.initialEventsEnd });
      return;
    }
    this.#restAfter(pending.event.kv.value.length);
    try {
      const translated = this.#translate(pending.event);
      if (translated instanceof Promise) {
        this.#decoding = true;
        this.#etcdWatch?.pause();
        void translated
          .then(
            (event) => {
              if (event !== undefined) this.#send(event);
            },
            (error: unknown) => this.#fail(toStorageError(error, this.#key)),
          )
          .finally(() => {
            this.#decoding = false;
            this.#flush();
          });
      } else if (translated !== undefined) this.#send(translated);
    } catch (error) {
      this.#fail(toStorageError(error, this.#key));
    }
  }

  /** Has what comes behind some megabyte of events wait for a turn of the loop: many large ones may come at once. */
  #restAfter(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < BYTES_OF_A_TURN) return;
    this.#bytes = 0;
    this.#resting = true;
    this.#etcdWatch?.pause();
    setImmediate(() => {
      this.#resting = false;
      this.#flush();
    });
  }

  /** The event as the watcher's selection sees it; undefined when it concerns nothing selected. */
  #translate(event: EtcdEvent): WatchEvent | undefined | Promise<WatchEvent | undefined> {
    const { kv, previous } = event;
    const created = !event.deleted && kv.createRevision === kv.modRevision;
    if (!created && previous === undefined) {
      throw new StorageError(
        'Internal',
        `etcd event received with PrevKv=nil (key=${JSON.stringify(kv.key)}, modRevision=${kv.modRevision}, ` +
          `type=${event.deleted ? 'DELETE' : 'PUT'})`,
        { key: kv.key },
      );
    }
    const now = event.deleted ? undefined : untransform(this.#context, kv.value, kv.key);
    // The previous state costs a decode, so it is looked at only where the answer depends on it.
    const before =
      previous !== undefined && (event.deleted || this.#filter !== undefined)
        ? this.#untransformPrevious(event, previous.value)
        : undefined;
    if (now instanceof Promise || before instanceof Promise) {
      return Promise.all([now, before]).then(([current, old]) =>
        this.#select(event, { created, now: current?.value, before: old?.value }),
      );
    }
    return this.#select(event, { created, now: now?.value, before: before?.value });
  }

  #select(
    event: EtcdEvent,
    values: {
      readonly created: boolean;
      readonly now: Uint8Array | undefined;
      readonly before: Uint8Array | undefined;
    },
  ): WatchEvent | undefined {
    const { key, modRevision: revision } = event.kv;
    const current =
      values.now === undefined ? undefined : decodeRecord(this.#context, { key, value: values.now, revision });
    const old = values.before === undefined ? undefined : this.#decodePrevious(event, values.before);
    const filter = this.#filter;
    if (current === undefined)
      return old !== undefined && selected(filter, old) ? { type: 'DELETED', record: old, previous: old } : undefined;
    if (values.created) return selected(filter, current) ? { type: 'ADDED', record: current } : undefined;
    if (filter === undefined || old === undefined) return { type: 'MODIFIED', record: current };
    const is = selects(filter, current);
    const was = selects(filter, old);
    if (is) return was ? { type: 'MODIFIED', record: current, previous: old } : { type: 'ADDED', record: current };
    return was ? { type: 'DELETED', record: old, previous: old } : undefined;
  }

  /** The state before the change, under the revision of the change: what a DELETED event carries. */
  #decodePrevious(event: EtcdEvent, value: Uint8Array): ObjectRecord {
    const { key, modRevision: revision } = event.kv;
    try {
      return decodeRecord(this.#context, { key, value, revision });
    } catch (error) {
      throw corruptPrevious(this.#context, event, error);
    }
  }

  #untransformPrevious(event: EtcdEvent, value: Uint8Array): ReturnType<typeof untransform> {
    try {
      const result = untransform(this.#context, value, event.kv.key);
      return result instanceof Promise
        ? result.catch((error: unknown) => {
            throw corruptPrevious(this.#context, event, error);
          })
        : result;
    } catch (error) {
      throw corruptPrevious(this.#context, event, error);
    }
  }

  #send(event: WatchEvent): void {
    if (this.#ended) return;
    if (!this.#sink.event(event)) {
      this.#blocked = true;
      this.#etcdWatch?.pause();
    }
  }

  drained(): void {
    if (!this.#blocked || this.#ended) return;
    this.#blocked = false;
    this.#unblocked?.();
    this.#unblocked = undefined;
    this.#flush();
  }

  #flush(): void {
    let sent = 0;
    while (sent < this.#pending.length && !this.#waits && !this.#ended) {
      const next = this.#pending[sent++];
      if (next !== undefined) this.#process(next);
    }
    this.#pending.splice(0, sent);
    if (this.#waits || this.#ended) return;
    if (this.#failure === undefined) this.#etcdWatch?.resume();
    else this.#fail(this.#failure);
  }

  /** For its target, for a decoder, or for a turn. */
  get #waits(): boolean {
    return this.#blocked || this.#decoding || this.#resting;
  }

  #failWith(error: EtcdError): void {
    const failure = isEtcdError(error, 'Compacted')
      ? new StorageError('ResourceExpired', watchExpiredMessage, { key: this.#key, cause: error })
      : toStorageError(error, this.#key);
    // What arrived before the error is delivered before it.
    if (this.#pending.length > 0 || this.#waits) this.#failure = failure;
    else this.#fail(failure);
  }

  #fail(error: StorageError): void {
    if (this.#ended) return;
    // Our own client has closed.
    if (error.code === 'Aborted') {
      this.terminate({ kind: 'closed' });
      return;
    }
    this.#sink.event({ type: 'ERROR', error });
    this.terminate({ kind: 'failed', error });
  }

  stop(): void {
    this.terminate(stoppedBy());
  }

  /** Ends the watch from our side: nothing more is sent. Idempotent, the first reason counts. */
  terminate(reason: WatchEnd): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#pending.length = 0;
    this.#options.signal?.removeEventListener('abort', this.#abort);
    this.#unblocked?.();
    this.#etcdWatch?.cancel();
    this.#closed(this);
    this.#sink.end(reason);
  }

  /** Asks etcd for a progress notification, which arrives as a BOOKMARK. */
  requestProgress(): void {
    this.#etcdWatch?.requestProgress();
  }
}

/**
 * Tells a deletion of an object that could not be read from a change to one (etcd3/watcher.go
 * corruptObjectDeletedError).
 */
function corruptPrevious(context: StoreContext, event: EtcdEvent, error: unknown): StorageError {
  const { key } = event.kv;
  const failure = toStorageError(error, key);
  return event.deleted && context.unsafeDeletion
    ? new StorageError('StoreReadError', `saw a DELETED event, but object data is corrupt - ${failure.message}`, {
        key,
        cause: error,
      })
    : failure;
}

function selected(filter: SelectionPredicate | undefined, record: ObjectRecord): boolean {
  return filter === undefined || selects(filter, record);
}
