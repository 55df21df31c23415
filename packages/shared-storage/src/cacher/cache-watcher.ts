import type { Watch, WatchEvent, WatchSink } from '../storage/interfaces.ts';
import { stoppedBy, type WatchEnd } from '../storage/watch-end.ts';
import type { EventWindow } from './event-window.ts';
import type { InitialState } from './initial-state.ts';
import { SharedWatchEvent } from './shared-watch-event.ts';
import type { WatcherGroup } from './watcher-group.ts';

/** What a watcher needs from the cache that it belongs to. */
export interface WatcherHost {
  readonly window: EventWindow;
  /** Window position of the next event to be dispatched. */
  readonly position: number;
  /** A watcher that was reported full has room again or is gone. */
  roomAgain(watcher: CacheWatcher): void;
  ended(watcher: CacheWatcher, reason: WatchEnd): void;
  /** Events of the initial state and of history that were sent. */
  countInitial(events: number): void;
}

export interface CacheWatcherOptions {
  /** Events after this revision are sent. */
  readonly startRevision: number;
  /** Window position from which history is read. */
  readonly position: number;
  readonly initial?: InitialState | undefined;
  /** Ends the initial state with a bookmark. */
  readonly initialEventsEnd: boolean;
  readonly allowBookmarks: boolean;
  readonly deadlineMs: number | undefined;
  /** Events kept for a sink that is full; one more waits in the dispatcher, which is then paused. */
  readonly bufferSize: number;
}

/** Events sent in one go before others get their turn; about a millisecond. */
const PUMP_BATCH = 1000;

/*
 *   initial ──state sent──▶ history ──caught up──▶ live ──▶ ended
 *
 * initial: the state is read from a snapshot;  history: events are read from the cache's own window, nothing is
 * buffered, and a watcher that falls out of the window is closed;  live: the dispatcher offers events, at most
 * `bufferSize` of them wait for the sink, and a watcher that stays full for longer than the time budget is closed.
 */
type Phase = 'initial' | 'history' | 'live' | 'ended';

/** One client's watch. Never holds more than its buffer, whatever the client does. */
export class CacheWatcher implements Watch {
  readonly group: WatcherGroup<CacheWatcher>;
  readonly startRevision: number;
  readonly allowBookmarks: boolean;
  readonly deadlineMs: number | undefined;
  readonly #host: WatcherHost;
  readonly #sink: WatchSink;
  readonly #bufferSize: number;
  readonly #buffer: WatchEvent[] = [];
  #head = 0;
  #overflow: WatchEvent | undefined;
  #phase: Phase;
  #position: number;
  #initial: InitialState | undefined;
  #initialEventsEnd: boolean;
  #sinkFull = false;
  #delivering = false;
  #end: WatchEnd | undefined;
  #endDelivered = false;
  #bookmarkedRevision: number;
  #abort: (() => void) | undefined;

  constructor(host: WatcherHost, group: WatcherGroup<CacheWatcher>, sink: WatchSink, options: CacheWatcherOptions) {
    this.#host = host;
    this.group = group;
    this.#sink = sink;
    this.startRevision = options.startRevision;
    this.allowBookmarks = options.allowBookmarks;
    this.deadlineMs = options.deadlineMs;
    this.#bufferSize = options.bufferSize;
    this.#position = options.position;
    this.#initial = options.initial;
    this.#initialEventsEnd = options.initialEventsEnd;
    this.#phase = options.initial === undefined ? 'history' : 'initial';
    this.#bookmarkedRevision = options.startRevision;
  }

  /** Reads from history, or will: closed when the window moves past its position. */
  get isCatchingUp(): boolean {
    return this.#phase === 'initial' || this.#phase === 'history';
  }
  get phase(): Phase {
    return this.#phase;
  }
  get position(): number {
    return this.#position;
  }
  get buffered(): number {
    return this.#buffer.length - this.#head + (this.#overflow === undefined ? 0 : 1);
  }
  /** An event waits for room in the buffer, and with it the dispatcher. */
  get isFull(): boolean {
    return this.#overflow !== undefined;
  }

  /** Ends the watch when the signal fires. */
  stopOn(signal: AbortSignal): void {
    const stop = (): void => this.terminate(stoppedBy(signal));
    signal.addEventListener('abort', stop, { once: true });
    this.#abort = () => signal.removeEventListener('abort', stop);
    if (signal.aborted) stop();
  }

  /** Begins to send. Called once, after the caller of `watch` had the chance to see its Watch. */
  start(): void {
    this.#pump();
  }

  /**
   * Takes a live event; false when the buffer was full: the event is kept, but the dispatcher must wait. Never waits
   * itself.
   */
  offer(event: SharedWatchEvent, position: number): boolean {
    if (this.#phase !== 'live' || position < this.#position || event.record.revision <= this.startRevision) return true;
    if (this.#head === this.#buffer.length && !this.#sinkFull && !this.#delivering) {
      this.#delivering = true;
      this.#sinkFull = !this.#sink.event(event);
      this.#delivering = false;
      if (this.#isEnded()) this.#deliverEnd();
      else if (this.#buffer.length > 0) this.#pump();
      return true;
    }
    if (this.#buffer.length - this.#head < this.#bufferSize) {
      this.#buffer.push(event);
      return true;
    }
    this.#overflow = event;
    return false;
  }

  /** Sends a bookmark unless it would say nothing new, wait behind a full buffer, or come before the initial state. */
  bookmark(revision: number): void {
    if (this.#phase !== 'live' || revision <= this.startRevision || revision < this.#bookmarkedRevision) return;
    if (this.#buffer.length - this.#head >= this.#bufferSize) return;
    this.#bookmarkedRevision = revision;
    this.#buffer.push({ type: 'BOOKMARK', revision, initialEventsEnd: false });
    this.#pump();
  }

  drained(): void {
    this.#sinkFull = false;
    this.#pump();
  }

  stop(): void {
    this.terminate(stoppedBy());
  }

  /** Ends the watch from our side: nothing more is sent. */
  terminate(reason: WatchEnd): void {
    if (this.#phase === 'ended') return;
    const wasFull = this.isFull;
    this.#phase = 'ended';
    this.#end = reason;
    this.#initial = undefined;
    this.#buffer.length = 0;
    this.#head = 0;
    this.#overflow = undefined;
    this.#abort?.();
    this.#host.ended(this, reason);
    if (wasFull) this.#host.roomAgain(this);
    this.#deliverEnd();
  }

  #deliverEnd(): void {
    // A sink that stops its watch inside `event` gets `end` after it has returned.
    if (this.#end === undefined || this.#delivering || this.#endDelivered) return;
    this.#endDelivered = true;
    this.#sink.end(this.#end);
  }

  readonly #pump = (): void => {
    if (this.#delivering || this.#isEnded()) return;
    this.#delivering = true;
    let sent = 0;
    const initialBefore = this.#phase === 'initial' || this.#phase === 'history';
    while (!this.#sinkFull && sent < PUMP_BATCH) {
      const event = this.#next();
      if (event === undefined) break;
      sent++;
      this.#sinkFull = !this.#sink.event(event);
    }
    this.#delivering = false;
    if (initialBefore && sent > 0) this.#host.countInitial(sent);
    if (this.#isEnded()) this.#deliverEnd();
    else if (sent === PUMP_BATCH && !this.#sinkFull) setImmediate(this.#pump);
  };

  /** A method, as the phase changes under calls that the compiler does not see through. */
  #isEnded(): boolean {
    return this.#phase === 'ended';
  }

  #next(): WatchEvent | undefined {
    if (this.#phase === 'initial') {
      const event = this.#nextInitial();
      if (event !== undefined) return event;
    }
    if (this.#phase === 'history') {
      const event = this.#nextOfHistory();
      if (event !== undefined) return event;
    }
    return this.#phase === 'live' ? this.#nextBuffered() : undefined;
  }

  #nextInitial(): WatchEvent | undefined {
    for (let record = this.#initial!.next(); record !== undefined; record = this.#initial!.next()) {
      if (this.group.selects(record)) return new SharedWatchEvent('ADDED', record, undefined);
    }
    this.#initial = undefined;
    this.#phase = 'history';
    if (!this.#initialEventsEnd) return undefined;
    this.#initialEventsEnd = false;
    return { type: 'BOOKMARK', revision: this.startRevision, initialEventsEnd: true };
  }

  #nextOfHistory(): WatchEvent | undefined {
    const { window } = this.#host;
    while (this.#position < this.#host.position) {
      if (this.#position < window.start) {
        this.terminate({ kind: 'overtaken' });
        return undefined;
      }
      const event = window.at(this.#position++);
      if (event.revision <= this.startRevision) continue;
      const view = this.group.view(event);
      if (view !== undefined) return view;
    }
    this.#phase = 'live';
    return undefined;
  }

  #nextBuffered(): WatchEvent | undefined {
    if (this.#head === this.#buffer.length) return undefined;
    const event = this.#buffer[this.#head]!;
    this.#head++;
    if (this.#head === this.#buffer.length) {
      this.#buffer.length = 0;
      this.#head = 0;
    } else if (this.#head >= this.#bufferSize) {
      this.#buffer.splice(0, this.#head);
      this.#head = 0;
    }
    if (this.#overflow !== undefined) {
      this.#buffer.push(this.#overflow);
      this.#overflow = undefined;
      this.#host.roomAgain(this);
    }
    return event;
  }
}
