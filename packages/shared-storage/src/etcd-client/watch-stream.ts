import type { CallStream } from './call-stream.ts';
import type { EtcdEvent, EtcdWatch, EtcdWatchRequest, EtcdWatchSink } from './etcd-client.ts';
import type { EndpointPool } from './endpoint-pool.ts';
import { EtcdError, isEtcdError } from './etcd-error.ts';
import { encodeWatch } from './request-encoders.ts';
import { decodeWatch } from './response-decoders.ts';
import type { WatchResponse } from './response-decoders.ts';

/**
 * One watch on a stream of its own: a slow watch holds up nobody else, and a progress request concerns only it.
 * Ends at the first error; npm etcd3's Watcher would re-subscribe by itself and hide a gap from the caller.
 */
export class WatchStream implements EtcdWatch {
  readonly #pool: EndpointPool;
  readonly #sink: EtcdWatchSink;
  #stream: CallStream | undefined;
  #paused = false;
  #ended = false;
  #created = false;
  /** Events of the fragments so far; etcd splits what exceeds its own message limit (about 1.5 MiB). */
  #fragments: EtcdEvent[] | undefined;

  constructor(pool: EndpointPool, request: EtcdWatchRequest, sink: EtcdWatchSink) {
    this.#pool = pool;
    this.#sink = sink;
    void this.#run(request);
  }

  async #run(request: EtcdWatchRequest): Promise<void> {
    const endpoint = this.#pool.current;
    try {
      const stream = await endpoint.stream('/etcdserverpb.Watch/Watch', {
        message: (bytes) => this.#receive(bytes),
        ended: (error) => {
          if (isEtcdError(error, 'Unavailable')) this.#pool.failed(endpoint);
          this.#end(error ?? new EtcdError('Unavailable', 'etcd closed the watch stream'));
        },
      });
      if (this.#ended) {
        stream.fail(new EtcdError('Cancelled', 'the watch was cancelled'));
        return;
      }
      this.#stream = stream;
      if (this.#paused) stream.pause();
      stream.send(
        encodeWatch({
          create_request: {
            key: Buffer.from(request.key),
            ...(request.rangeEnd === undefined ? {} : { range_end: Buffer.from(request.rangeEnd) }),
            start_revision: request.startRevision,
            progress_notify: request.progressNotify ?? false,
            prev_kv: request.prevKv ?? false,
            fragment: true,
          },
        }),
      );
    } catch (error) {
      this.#pool.failed(endpoint);
      this.#end(
        error instanceof EtcdError
          ? error
          : new EtcdError('Internal', 'the watch could not be started', { cause: error }),
      );
    }
  }

  #receive(message: Buffer): void {
    if (this.#ended) return;
    const response: WatchResponse = decodeWatch(message);
    if (response.canceled) {
      this.#stop(
        response.compactRevision > 0
          ? new EtcdError('Compacted', 'etcdserver: mvcc: required revision has been compacted')
          : new EtcdError(
              'Unavailable',
              response.cancelReason === '' ? 'etcd cancelled the watch' : response.cancelReason,
            ),
      );
      return;
    }
    if (response.created) {
      this.#created = true;
      this.#sink.created(response.revision);
      return;
    }
    if (response.fragment || this.#fragments !== undefined) {
      this.#fragments ??= [];
      for (const event of response.events) this.#fragments.push(event);
      if (response.fragment) return;
      const events = this.#fragments;
      this.#fragments = undefined;
      this.#sink.events(events, response.revision);
      return;
    }
    if (response.events.length > 0) this.#sink.events(response.events, response.revision);
    else this.#sink.progress(response.revision);
  }

  #stop(error: EtcdError): void {
    this.#end(error);
    this.#stream?.fail(error);
  }

  #end(error: EtcdError | undefined): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#fragments = undefined;
    this.#sink.end(error);
  }

  cancel(): void {
    this.#end(undefined);
    this.#stream?.fail(new EtcdError('Cancelled', 'the watch was cancelled'));
  }

  requestProgress(): void {
    if (this.#ended || !this.#created) return;
    this.#stream?.send(encodeWatch({ progress_request: {} }));
  }

  pause(): void {
    this.#paused = true;
    this.#stream?.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#stream?.resume();
  }
}
