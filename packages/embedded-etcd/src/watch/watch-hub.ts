import type { Identity } from '../proto/response-header.ts';
import type { StoreEvent } from '../mvcc/key-record.ts';
import type { CommitObserver, MvccStore } from '../mvcc/mvcc-store.ts';
import type { Timer, TimerClock } from '@kubechain/apimachinery/movable-clock';
import { missedEvents } from './catch-up.ts';
import { dropEncoded } from './encode-event.ts';
import { EventLog } from './event-log.ts';
import type { WatchConsumer } from './watcher.ts';
import type { Watcher } from './watcher.ts';
import { WatcherGroups } from './watcher-groups.ts';

/**
 * Gives every watcher every event it wants, once and in order.
 *
 * ```
 *   commit ─→ synced watchers ─(client reads too slowly)─→ behind
 *                    ↑                                       │ history, one stretch a turn
 *                    └───────────(caught up)─────────────────┘
 * ```
 * The hub knows committed revisions only: nothing a crash could take back is sent.
 */
export class WatchHub implements CommitObserver {
  readonly store: MvccStore;
  readonly identity: Identity;
  readonly #clock: TimerClock;
  readonly #progressIntervalMs: number;
  readonly #log: EventLog;
  readonly #synced = new WatcherGroups();
  readonly #behind = new Set<Watcher>();
  readonly #consumers = new Set<WatchConsumer>();
  #revision: number;
  #turnPlanned = false;
  #timer: Timer | undefined;

  constructor(parts: {
    readonly store: MvccStore;
    readonly identity: Identity;
    readonly clock: TimerClock;
    readonly progressIntervalMs: number;
  }) {
    this.store = parts.store;
    this.identity = parts.identity;
    this.#clock = parts.clock;
    this.#progressIntervalMs = parts.progressIntervalMs;
    this.#revision = parts.store.revision;
    this.#log = new EventLog(this.#revision + 1);
    parts.store.observe(this);
    this.#planProgress();
  }

  /** The newest committed revision. */
  get revision(): number {
    return this.#revision;
  }

  /** Open streams. */
  get streamCount(): number {
    return this.#consumers.size;
  }

  /** Open watches of all streams. */
  get watcherCount(): number {
    let total = 0;
    for (const stream of this.#consumers) total += stream.watchers.size;
    return total;
  }

  /** Feeds the watchers that a consumer adds, until `forget`. */
  join(consumer: WatchConsumer): void {
    this.#consumers.add(consumer);
  }

  /** Starts feeding a new watcher. */
  add(watcher: Watcher): void {
    if (watcher.nextRevision <= 0) watcher.nextRevision = this.#revision + 1;
    if (watcher.nextRevision > this.#revision) this.#sync(watcher);
    else this.#fallBehind(watcher);
  }

  /** Stops feeding a watcher. */
  remove(watcher: Watcher): void {
    this.#synced.remove(watcher);
    this.#behind.delete(watcher);
  }

  /** Stops feeding all watchers of a stream that is gone. */
  forget(stream: WatchConsumer): void {
    this.#consumers.delete(stream);
    for (const watcher of stream.watchers.values()) this.remove(watcher);
    stream.watchers.clear();
  }

  /** Goes on with a stream whose client has read. */
  resume(stream: WatchConsumer): void {
    if (!stream.congested && this.#behind.size > 0) this.#planTurn();
  }

  published(events: readonly StoreEvent[], revision: number): void {
    this.#revision = revision;
    if (events.length === 0) return;
    this.#log.append(events);
    for (const [watcher, wanted] of this.#synced.match(events)) {
      if (watcher.stream.congested) {
        watcher.nextRevision = wanted[0]?.record.modRevision ?? revision;
        this.#synced.remove(watcher);
        this.#fallBehind(watcher);
        continue;
      }
      watcher.stream.sendEvents(watcher, wanted, revision);
    }
    dropEncoded(events);
  }

  reloaded(): void {
    // What was lost had not been published; the revision stands.
    this.#log.reset(this.#revision + 1);
  }

  /** Ends all streams. */
  close(): void {
    this.#timer?.cancel();
    for (const stream of this.#consumers) stream.end();
  }

  #sync(watcher: Watcher): void {
    watcher.synced = true;
    this.#synced.add(watcher);
  }

  #fallBehind(watcher: Watcher): void {
    watcher.synced = false;
    this.#behind.add(watcher);
    this.#planTurn();
  }

  #planTurn(): void {
    if (this.#turnPlanned) return;
    this.#turnPlanned = true;
    setImmediate(() => {
      this.#turnPlanned = false;
      this.#turn();
    });
  }

  /**
   * Gives one stretch to each watcher that is a little behind, and whose client reads; of those for whom the file is
   * read to one, as there may be thousands. These take turns.
   */
  #turn(): void {
    let again = false;
    let fileWasRead = false;
    for (const watcher of this.#behind) {
      if (!this.#behind.has(watcher) || watcher.stream.congested) continue;
      const readsFile = !this.#log.covers(watcher.nextRevision);
      if (readsFile && fileWasRead) {
        again = true;
        continue;
      }
      fileWasRead ||= readsFile;
      this.#catchUp(watcher);
      if (!this.#behind.has(watcher)) continue;
      if (!watcher.stream.congested) again = true;
      if (!readsFile) continue;
      this.#behind.delete(watcher);
      this.#behind.add(watcher);
    }
    if (again) this.#planTurn();
  }

  #catchUp(watcher: Watcher): void {
    if (watcher.nextRevision < this.store.compactRevision) {
      this.remove(watcher);
      watcher.stream.sendCompacted(watcher, this.store.compactRevision);
      return;
    }
    const { events, nextRevision } = missedEvents(this.store, this.#log, { watcher, newest: this.#revision });
    watcher.nextRevision = nextRevision;
    if (events.length > 0) watcher.stream.sendEvents(watcher, events, nextRevision - 1);
    dropEncoded(events);
    if (nextRevision <= this.#revision) return;
    this.#behind.delete(watcher);
    this.#sync(watcher);
    watcher.stream.answerProgress();
  }

  #planProgress(): void {
    this.#timer = this.#clock.setTimer(() => {
      for (const stream of this.#consumers) {
        for (const watcher of stream.watchers.values()) {
          if (
            watcher.progressNotify &&
            watcher.synced &&
            !watcher.active &&
            watcher.nextRevision <= this.#revision + 1
          ) {
            stream.sendProgress(watcher, this.#revision);
          }
          watcher.active = false;
        }
      }
      this.#planProgress();
    }, this.#progressIntervalMs);
  }
}
