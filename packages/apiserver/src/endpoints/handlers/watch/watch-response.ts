import type { Watch, WatchEnd, WatchEvent, WatchSink } from '@kubechain/shared-storage';
import type { EventEncoder } from './event-encoder.ts';
import { failedWith, terminationOf, type WatchTermination } from './watch-termination.ts';

/** Where the frames of a watch go: an HTTP response, or the messages of a WebSocket. */
export interface FrameTarget {
  readonly writableEnded: boolean;
  /** Takes one whole frame; false while its buffer is full, until `drain`. */
  write(frame: Uint8Array): boolean;
  end(): void;
  on(event: 'drain', listener: () => void): unknown;
  once(event: 'close', listener: () => void): unknown;
}

/** Told of what happens on a watch. */
export interface WatchObserver {
  /** A frame was handed to the target. */
  sent(bytes: number, event: WatchEvent): void;
  /** The answer and the watch have ended; once. */
  finished(reason: WatchTermination): void;
}

/**
 * Streams the events of one watch into a response or a WebSocket.
 *
 * Buffers: the socket's write buffer (its high-water mark, 16 KiB) and, while it is full or a frame is being converted,
 * a queue of at most `queueLimit` events. `event` returns false as long as anything is queued, so that the source holds
 * its own bounded buffer back or ends the watch; what arrives beyond the limit all the same ends the watch.
 *
 *     source → event() → [queue ≤ 128] → frame → socket buffer → client
 */
export class WatchResponse implements WatchSink {
  readonly #target: FrameTarget;
  readonly #encoder: EventEncoder;
  readonly #queue: WatchEvent[] = [];
  #watch: Watch | undefined = undefined;
  #busy = false;
  #full = false;
  /** An event was refused, and more could be taken, before the watch was known here: it is told when it is. */
  #drainedEarly = false;
  /** Why the source has ended, while what it sent before is on its way. */
  #ending: WatchTermination | undefined;
  #finished = false;
  readonly #observer: WatchObserver;

  constructor(target: FrameTarget, encoder: EventEncoder, observer: WatchObserver) {
    this.#target = target;
    this.#encoder = encoder;
    this.#observer = observer;
    target.on('drain', () => {
      this.#drained();
    });
    target.once('close', () => {
      this.finish({ kind: 'client_left' });
    });
  }

  /** Hands over the watch that feeds this sink, once it is established. */
  attach(watch: Watch): void {
    this.#watch = watch;
    if (this.#finished) watch.stop();
    else if (this.#drainedEarly) watch.drained();
  }

  event(event: WatchEvent): boolean {
    if (this.#finished || this.#ending !== undefined) return true;
    if (this.#busy || this.#full || this.#queue.length > 0) {
      if (this.#queue.length >= queueLimit) {
        this.finish({ kind: 'slow' });
        return true;
      }
      this.#queue.push(event);
      return false;
    }
    return this.#send(event);
  }

  end(reason: WatchEnd): void {
    this.#ending ??= terminationOf(reason);
    if (!this.#busy && this.#queue.length === 0) this.finish(this.#ending);
  }

  /** Ends the answer and the watch; what is queued is not sent any more. Idempotent, the first reason counts. */
  finish(reason: WatchTermination): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#queue.length = 0;
    this.#watch?.stop();
    if (!this.#target.writableEnded) this.#target.end();
    this.#observer.finished(reason);
  }

  /** The watch was refused before it was answered: what has not begun has no end to tell of. */
  refused(): void {
    this.#finished = true;
    this.#queue.length = 0;
  }

  /** Sends one event; true when the next may follow at once. */
  #send(event: WatchEvent): boolean {
    let frame: Uint8Array | Promise<Uint8Array>;
    try {
      frame = this.#encoder.frame(event);
    } catch (error) {
      // As in the reference: what cannot be represented ends the stream.
      this.finish({ kind: 'unencodable', error });
      return true;
    }
    if (frame instanceof Promise) {
      this.#busy = true;
      frame.then(
        (bytes) => {
          this.#busy = false;
          this.#write(bytes, event);
          this.#pump();
        },
        (error: unknown) => {
          this.finish(this.#ending ?? { kind: 'unencodable', error });
        },
      );
      return false;
    }
    return this.#write(frame, event);
  }

  #write(frame: Uint8Array, event: WatchEvent): boolean {
    if (this.#finished) return true;
    this.#full = !this.#target.write(frame);
    this.#observer.sent(frame.length, event);
    if (event.type === 'ERROR') this.finish(failedWith(event.error));
    return !this.#full;
  }

  #drained(): void {
    this.#full = false;
    this.#pump();
  }

  #pump(): void {
    while (!this.#busy && !this.#full && !this.#finished) {
      const next = this.#queue.shift();
      if (next === undefined) {
        if (this.#ending !== undefined) this.finish(this.#ending);
        else if (this.#watch === undefined) this.#drainedEarly = true;
        else this.#watch.drained();
        return;
      }
      this.#send(next);
    }
  }
}

/** Events that may wait for the client or for a conversion; sources stop sending at the first. */
const queueLimit = 128;
