import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import type { SeededRandom } from '../seeded-random.ts';
import { PassingFailure } from './fault-client.ts';
import type { FaultClient } from './fault-client.ts';
import { Follower } from './follower.ts';
import { ReadLog } from './read-log.ts';
import type { Timeline } from './timeline.ts';
import type { WriteLog } from './write-log.ts';

/** Objects that each client's writer owns: each has one writer, so that its content tells what was written last. */
const KEYS = 6;
/** A write in this many deletes. */
const DELETE_ONE_IN = 5;
/** A client that gets no write through for this long is stuck: no fault lasts so long, on a busy machine neither. */
const STUCK_MS = 60_000;

export interface LoadOptions {
  readonly log: WriteLog;
  readonly random: SeededRandom;
  /** Revision at which nothing existed yet. */
  readonly from: number;
  /** Pause between two requests of one client. */
  readonly pauseMs?: number;
}

/** What one client is put under: a writer of its own objects, a reader and two watchers of everybody's. */
export class Load {
  readonly client: FaultClient;
  readonly followers: readonly Follower[];
  readonly #options: LoadOptions;
  readonly #reads: ReadLog;
  /** Deletions that found nothing are reads, too. */
  readonly #absences: ReadLog;
  #acknowledged = 0;
  #stopping = false;
  #running: Promise<unknown> | undefined;
  #failure: Error | undefined;

  constructor(client: FaultClient, options: LoadOptions) {
    this.client = client;
    this.#options = options;
    this.#reads = new ReadLog(`reader of ${client.name}`);
    this.#absences = new ReadLog(`writer of ${client.name}`);
    this.followers = [
      new Follower(client, { from: options.from }),
      new Follower(client, { from: options.from, selectedOnly: true }),
    ];
  }

  get reads(): number {
    return this.#reads.length;
  }

  start(): void {
    for (const follower of this.followers) follower.start();
    this.#running = Promise.all([this.#write(), this.#read()]).catch((error: unknown) => {
      this.#failure = error as Error;
    });
  }

  /** Waits until some more writes have been acknowledged: the load has taken hold again. */
  async progress(writes: number): Promise<void> {
    const wanted = this.#acknowledged + writes;
    const deadline = Date.now() + STUCK_MS;
    while (this.#acknowledged < wanted) {
      if (this.#failure !== undefined) throw this.#failure;
      expect(Date.now(), `${this.client.name}: no write gets through any more`).to.be.below(deadline);
      await delay(5);
    }
  }

  /** Ends reading and writing; the watchers go on. */
  async quiet(): Promise<void> {
    this.#stopping = true;
    await this.#running;
    if (this.#failure !== undefined) throw this.#failure;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.followers.map((follower) => follower.stop()));
    await this.#running;
  }

  check(timeline: Timeline, end: number): void {
    for (const follower of this.followers) follower.check(timeline, end);
    this.#reads.check(timeline, end);
    this.#absences.check(timeline, end);
    expect(this.#reads.length, `${this.client.name}: no read got through`).to.be.above(0);
  }

  async #write(): Promise<void> {
    const { log, random } = this.#options;
    const { name: client } = this.client;
    while (!this.#stopping) {
      const name = `${client}-${random(KEYS)}`;
      if (random(DELETE_ONE_IN) === 0) {
        const attempt = log.begin({ kind: 'delete', name, write: '' });
        const outcome = await this.client.delete(name);
        log.end(attempt, outcome);
        if (outcome.kind === 'acknowledged') this.#acknowledged++;
        else if (outcome.kind === 'absent') this.#absences.get({ name, write: undefined, floor: attempt.floor });
      } else {
        const write = log.nextWrite(client);
        const attempt = log.begin({ kind: 'put', name, write });
        const outcome = await this.client.put(name, { write, selected: random(2) === 0 });
        log.end(attempt, outcome);
        if (outcome.kind === 'acknowledged') this.#acknowledged++;
      }
      await delay(this.#options.pauseMs ?? 3);
    }
  }

  async #read(): Promise<void> {
    const { log, random } = this.#options;
    while (!this.#stopping) {
      const floor = log.known;
      try {
        const kind = random(5);
        if (kind < 2) {
          const name = `${this.client.name}-${random(KEYS)}`;
          this.#reads.get({ name, write: await this.client.get(name), floor });
        } else {
          const how = (['consistent', 'paged', 'anyState'] as const)[kind - 2]!;
          const snapshot = await this.client.list(how);
          this.#reads.list({ how, ...snapshot, floor });
          if (how !== 'anyState') log.learn(snapshot.revision);
        }
      } catch (error) {
        if (!(error instanceof PassingFailure)) throw error;
      }
      await delay(this.#options.pauseMs ?? 3);
    }
  }
}
