import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import type { SeededRandom } from '../seeded-random.ts';
import type { FaultClient } from './fault-client.ts';
import { Follower } from './follower.ts';
import { Load } from './load.ts';
import { Timeline } from './timeline.ts';
import { WriteLog } from './write-log.ts';

/** How long watchers may take to hear of the last write once all faults are over. */
const CATCH_UP_MS = 60_000;

export interface FaultHistoryOptions {
  /**
   * Around all faults; its watch is the truth, so that nothing may be compacted that it has not heard of
   * (`truth.revision`).
   */
  readonly direct: FaultClient;
  /** Through the faults. */
  readonly clients: readonly FaultClient[];
  readonly random: SeededRandom;
  /** A revision at which none of the objects existed yet. */
  readonly from: number;
  /** Pause between two requests of one client. */
  readonly pauseMs?: number;
}

/**
 * Writes, reads and watches through several clients while something goes wrong, writes down what each was told, and
 * proves afterwards: no acknowledged write is lost, no write happens twice, no watcher misses or repeats an event,
 * every list shows one moment as it was, and no read goes back in time, not even behind what another client was told
 * before.
 *
 *     clients ─▶ faults ─▶ store ─▶ direct watch = Timeline
 *        │                               │
 *        └─▶ WriteLog, ReadLog, Follower ┴─▶ check
 */
export class FaultHistory {
  readonly log = new WriteLog();
  /** The watch around the faults. */
  readonly truth: Follower;
  readonly loads: readonly Load[];
  readonly #direct: FaultClient;
  readonly #clients: readonly FaultClient[];

  constructor(options: FaultHistoryOptions) {
    const { direct, clients, random, from, pauseMs } = options;
    this.#direct = direct;
    this.#clients = clients;
    this.truth = new Follower(direct, { from });
    this.loads = clients.map(
      (client) => new Load(client, { log: this.log, random, from, ...(pauseMs === undefined ? {} : { pauseMs }) }),
    );
  }

  /** Runs the load during `faults`, ends it, lets everybody catch up, and checks. */
  async run(faults: () => Promise<void>): Promise<void> {
    this.truth.start();
    for (const load of this.loads) load.start();
    try {
      await faults();
      await this.progress(3);
      for (const load of this.loads) await load.quiet();
      const end = await this.#end();
      for (const load of this.loads) await load.stop();
      await this.truth.stop();
      this.#check(end);
      for (const client of this.#clients) await client.verify?.();
    } finally {
      // Also after a failure nothing goes on.
      await Promise.all([...this.loads.map((load) => load.stop()), this.truth.stop()]);
    }
  }

  /** Waits until every client has got some more writes through. */
  async progress(writes: number): Promise<void> {
    await Promise.all(this.loads.map((load) => load.progress(writes)));
  }

  /** Writes the last word and waits until every watcher has heard it. Returns its revision. */
  async #end(): Promise<number> {
    const { log } = this;
    const write = log.nextWrite('end');
    const attempt = log.begin({ kind: 'put', name: 'end', write });
    const outcome = await this.#direct.put('end', { write, selected: true });
    log.end(attempt, outcome);
    if (outcome.kind !== 'acknowledged' || outcome.revision === undefined)
      return expect.fail(`the last write, around the faults: ${JSON.stringify(outcome)}`);
    const end = outcome.revision;
    const followers = [this.truth, ...this.loads.flatMap((load) => load.followers)];
    for (
      const deadline = Date.now() + CATCH_UP_MS;
      followers.some(({ revision }) => revision < end) && Date.now() < deadline;
    )
      await delay(10);
    return end;
  }

  #check(end: number): void {
    expect(this.truth.relists, 'the truth has a gap').to.equal(0);
    const timeline = new Timeline(this.truth.changes.filter(({ revision }) => revision <= end));
    this.truth.check(timeline, end);
    this.log.check(timeline);
    for (const load of this.loads) load.check(timeline, end);
  }
}
