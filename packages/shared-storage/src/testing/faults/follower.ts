import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { PassingFailure } from './fault-client.ts';
import type { FaultClient } from './fault-client.ts';
import type { Change, Timeline } from './timeline.ts';

/** What was told without a gap: from a state (empty, or listed) to the last revision heard of. */
interface Stretch {
  readonly after: number;
  /** What the list said that it began with; undefined = nothing was listed. */
  readonly listed: readonly (readonly [string, string])[] | undefined;
  readonly changes: Change[];
  /** Everything up to here has been told. */
  to: number;
}

/**
 * A watcher that goes on where it was when its watch ends, and lists again when that history is gone, as informers do.
 */
export class Follower {
  readonly #client: FaultClient;
  readonly #selectedOnly: boolean;
  readonly #stop = new AbortController();
  readonly #stretches: Stretch[];
  #running: Promise<void> | undefined;
  /** How often its watch has ended. */
  resumed = 0;
  relists = 0;
  #failure: Error | undefined;

  constructor(client: FaultClient, options: { readonly from: number; readonly selectedOnly?: boolean }) {
    this.#client = client;
    this.#selectedOnly = options.selectedOnly ?? false;
    this.#stretches = [{ after: options.from, listed: undefined, changes: [], to: options.from }];
  }

  get name(): string {
    return `watcher of ${this.#client.name}${this.#selectedOnly ? ', selecting' : ''}`;
  }
  get #current(): Stretch {
    return this.#stretches.at(-1)!;
  }
  /** Everything up to here has been told. */
  get revision(): number {
    return this.#current.to;
  }
  /** All changes, in the order in which they were told. */
  get changes(): Change[] {
    return this.#stretches.flatMap(({ changes }) => changes);
  }

  start(): void {
    this.#running ??= this.#run().catch((error: unknown) => {
      this.#failure = error as Error;
    });
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        const ended = await this.#client.watch(
          { from: this.revision, selectedOnly: this.#selectedOnly, signal },
          {
            change: (change) => {
              this.#change(change);
            },
            bookmark: (revision) => {
              expect(revision, `${this.name}: a bookmark from the past`).to.be.at.least(this.revision);
              this.#current.to = revision;
            },
          },
        );
        this.resumed++;
        if (ended === 'expired') await this.#list();
      } catch (error) {
        if (!(error instanceof PassingFailure)) throw error;
      }
      if (!signal.aborted) await delay(10);
    }
  }

  #change(change: Change): void {
    const stretch = this.#current;
    expect(change.revision, `${this.name}: ${change.type} ${change.name} came twice or too late`).to.be.above(
      stretch.to,
    );
    stretch.to = change.revision;
    stretch.changes.push(change);
  }

  async #list(): Promise<void> {
    const { revision, items } = await this.#client.list('consistent', { selectedOnly: this.#selectedOnly });
    expect(revision, `${this.name}: listed the past`).to.be.at.least(this.revision);
    this.relists++;
    this.#stretches.push({ after: revision, listed: items, changes: [], to: revision });
  }

  /** It was told exactly what happened: nothing is missing, repeated or made up, and lists were of their moment. */
  check(timeline: Timeline, end: number): void {
    if (this.#failure !== undefined) throw this.#failure;
    expect(this.revision, `${this.name} was not told everything`).to.be.at.least(end);
    const line = ({ type, name, revision, write }: Change): string => `${revision} ${type} ${name} ${write}`;
    for (const { after, listed, changes, to } of this.#stretches) {
      if (listed !== undefined)
        expect(listed, `${this.name}: listed at ${after}`).to.deep.equal(
          timeline.stateAt(after, { selectedOnly: this.#selectedOnly }),
        );
      // After the end others may have gone on.
      const told = changes.filter(({ revision }) => revision <= end);
      expect(told.map(line), `${this.name}: from ${after} to ${to}`).to.deep.equal(
        timeline.seen(after, Math.min(to, end), this.#selectedOnly).map(line),
      );
    }
  }
}
