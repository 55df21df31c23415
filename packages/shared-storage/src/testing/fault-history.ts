import { assert } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import type { EtcdClient } from '../etcd3/client/etcd-client.ts';
import { Etcd3Store } from '../etcd3/store.ts';
import { isStorageError } from '../storage/errors.ts';
import type { StorageInterface, WatchEvent } from '../storage/interfaces.ts';
import { pod, podCodec } from './contract/pods.ts';

const groupResource = { group: '', resource: 'pods' };
const writers = 4;
const keysPerWriter = 5;

/** A watcher that goes on where it was when its watch ends, as an informer does. */
class ResumingWatcher {
  readonly #storage: StorageInterface;
  readonly #prefix: string;
  /** Revision and key of every event, in order. */
  readonly events: string[] = [];
  revision: number;
  resumed = 0;
  #stopped = false;
  #running: Promise<void> | undefined;

  constructor(storage: StorageInterface, prefix: string, revision: number) {
    this.#storage = storage;
    this.#prefix = prefix;
    this.revision = revision;
  }

  start(): void {
    this.#running = this.#run();
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      try {
        await this.#follow();
      } catch (error) {
        if (!isStorageError(error)) throw error;
      }
      if (!this.#stopped) {
        this.resumed++;
        await delay(10);
      }
    }
  }

  /** One watch, to its end. */
  async #follow(): Promise<void> {
    const ended = Promise.withResolvers<void>();
    const watch = await this.#storage.watch(this.#prefix, { resourceVersion: String(this.revision) }, {
      event: event => { this.#receive(event); return true; },
      end: ended.resolve,
    });
    const poll = setInterval(() => { if (this.#stopped) watch.stop(); }, 10);
    await ended.promise;
    clearInterval(poll);
  }

  #receive(event: WatchEvent): void {
    if (event.type === 'ERROR' || event.type === 'BOOKMARK') return;
    assert.isAbove(event.record.revision, this.revision, 'an event came twice or too late');
    this.revision = event.record.revision;
    this.events.push(`${event.record.revision} ${event.type} ${event.record.attributes.name}`);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }
}

/**
 * Load on an etcd3 store while something goes wrong, and what must hold afterwards: no acknowledged write is lost, no
 * watcher misses or repeats an event, no reader goes back in time.
 */
export class FaultHistory {
  readonly #storage: StorageInterface;
  readonly #direct: StorageInterface;
  readonly #keyRoot: string;
  readonly #watchers: ResumingWatcher[] = [];
  /** Key → value that the last acknowledged write of its only writer left, and what may have been written since. */
  readonly #written = new Map<string, { acknowledged: number; attempted: number }>();
  acknowledged = 0;
  resumed = 0;
  failed = 0;

  /**
   * @param client through the faults; needs short timeouts
   * @param direct around the faults, for the check
   */
  constructor(client: EtcdClient, direct: EtcdClient) {
    this.#keyRoot = `/registry/faults-${process.pid}-${Date.now()}/pods`;
    this.#storage = new Etcd3Store({ client, codec: podCodec, groupResource, keyRoot: this.#keyRoot });
    this.#direct = new Etcd3Store({ client: direct, codec: podCodec, groupResource, keyRoot: this.#keyRoot });
  }

  /** Writes, reads and watches while `faults` runs. */
  async run(faults: () => Promise<void>): Promise<void> {
    const start = await this.#direct.currentRevision();
    for (let i = 0; i < 3; i++) {
      const watcher = new ResumingWatcher(this.#storage, `${this.#keyRoot}/`, start);
      this.#watchers.push(watcher);
      watcher.start();
    }
    let stop = false;
    const load = [
      ...Array.from({ length: writers }, (_, i) => this.#write(i, () => stop)),
      this.#read(() => stop),
    ];
    try {
      await faults();
    } finally {
      stop = true;
      await Promise.all(load);
    }
  }

  /** Waits until some more writes have been acknowledged: the load has taken hold again. */
  async progress(writes: number): Promise<void> {
    const wanted = this.acknowledged + writes;
    const deadline = Date.now() + 8_000;
    while (this.acknowledged < wanted) {
      assert.isBelow(Date.now(), deadline, 'no write gets through any more');
      await delay(5);
    }
  }

  async #write(writer: number, stopped: () => boolean): Promise<void> {
    for (let value = 1; !stopped(); value++) {
      const name = `w${writer}-${value % keysPerWriter}`;
      const state = this.#written.get(name) ?? { acknowledged: 0, attempted: 0 };
      this.#written.set(name, state);
      state.attempted = value;
      try {
        await this.#storage.guaranteedUpdate(`${this.#keyRoot}/ns/${name}`, () => ({ object: pod(name, { labels: { value: String(value) } }) }), { ignoreNotFound: true });
        state.acknowledged = value;
        this.acknowledged++;
      } catch (error) {
        if (!isStorageError(error)) throw error;
        this.failed++;
        await delay(5);
      }
    }
  }

  async #read(stopped: () => boolean): Promise<void> {
    let last = 0;
    while (!stopped()) {
      try {
        const { resourceVersion } = await this.#storage.getList(`${this.#keyRoot}/`);
        assert.isAtLeast(Number(resourceVersion), last, 'a read went back in time');
        last = Number(resourceVersion);
      } catch (error) {
        if (!isStorageError(error)) throw error;
      }
      await delay(5);
    }
  }

  /** Fails unless everything that was promised holds. */
  async check(): Promise<void> {
    const list = await this.#direct.getList(`${this.#keyRoot}/`);
    const stored = new Map(list.items.map(item => [item.attributes.name, Number(item.attributes.labels?.['value'])]));
    for (const [name, { acknowledged, attempted }] of this.#written) {
      const value = stored.get(name) ?? 0;
      // A write whose outcome was not told may have happened.
      assert.isTrue(value >= acknowledged && value <= attempted, `${name}: acknowledged ${acknowledged}, attempted ${attempted}, stored ${value}`);
    }
    const latest = Math.max(...list.items.map(item => item.revision));
    const deadline = Date.now() + 10_000;
    for (const watcher of this.#watchers) {
      while (watcher.revision < latest && Date.now() < deadline) await delay(10);
      await watcher.stop();
      this.resumed += watcher.resumed;
    }
    const [first, ...others] = this.#watchers;
    assert.equal(first?.revision, latest);
    for (const other of others) assert.deepEqual(other.events, first?.events);
    assert.isAtLeast(first?.events.length ?? 0, this.acknowledged, 'every acknowledged write is an event');
    await this.#storage.close();
    await this.#direct.close();
  }
}
