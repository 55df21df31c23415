import { expect } from 'chai';
import { isStorageError } from '../../storage/errors.ts';
import type { SelectionPredicate, StorageInterface, WatchEvent } from '../../storage/interfaces.ts';
import { Recorder } from './pods.ts';

/**
 * A client that keeps a copy of a list by watching, and lists again when its watch cannot go on, as informers do.
 * Asserts what every watch promises: no step back in time, ADDED only for what it does not have, the others only for
 * what it has.
 */
export class Replica {
  readonly #storage: StorageInterface;
  readonly #prefix: string;
  readonly #predicate: SelectionPredicate;
  #copy = new Map<string, number>();
  #revision = 0;
  #sink = new Recorder();
  relists = 0;
  events = 0;

  constructor(storage: StorageInterface, prefix: string, predicate: SelectionPredicate) {
    this.#storage = storage;
    this.#prefix = prefix;
    this.#predicate = predicate;
  }

  /** Revision that the copy is at. */
  get revision(): number {
    return this.#revision;
  }

  /**
   * Watches if it does not yet, from where it is if possible. @throws StorageError when the storage cannot be read now
   */
  async sync(): Promise<void> {
    this.#read();
    if (this.#sink.ends === 0 && this.#revision > 0) return;
    if (this.#revision > 0) {
      try {
        await this.#watch();
        return;
      } catch (error) {
        if (!isStorageError(error, 'ResourceExpired')) throw error;
      }
    }
    this.#revision = 0;
    const list = await this.#storage.getList(this.#prefix, { predicate: this.#predicate });
    this.relists++;
    this.#copy = new Map(list.items.map(({ key, revision }) => [key, revision]));
    this.#revision = Number(list.resourceVersion);
    await this.#watch();
  }

  /** Key and revision of every object, in key order. */
  get content(): [string, number][] {
    this.#read();
    return [...this.#copy].sort(([a], [b]) => (a < b ? -1 : 1));
  }

  async #watch(): Promise<void> {
    const sink = new Recorder();
    await this.#storage.watch(
      this.#prefix,
      { resourceVersion: String(this.#revision), predicate: this.#predicate, allowWatchBookmarks: true },
      sink,
    );
    this.#sink = sink;
  }

  #read(): void {
    for (const event of this.#sink.events.splice(0)) this.#take(event);
  }

  #take(event: WatchEvent): void {
    if (event.type === 'BOOKMARK') {
      expect(event.revision, 'bookmark').to.be.at.least(this.#revision);
      this.#revision = event.revision;
      return;
    }
    if (event.type === 'ERROR') throw event.error;
    const { key, revision } = event.record;
    expect(revision, 'back in time').to.be.greaterThan(this.#revision);
    this.#revision = revision;
    this.events++;
    expect(this.#copy.has(key), `${event.type} ${key}`).to.equal(event.type !== 'ADDED');
    if (event.type === 'DELETED') this.#copy.delete(key);
    else this.#copy.set(key, revision);
  }
}
