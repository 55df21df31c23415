import { expect } from 'chai';
import type { Snapshot } from './fault-client.ts';
import type { Timeline } from './timeline.ts';

interface ListRead extends Snapshot {
  readonly how: 'consistent' | 'paged' | 'anyState';
  readonly floor: number;
}
interface GetRead {
  readonly name: string;
  readonly write: string | undefined;
  readonly floor: number;
}

/** What one reader was told, in the order in which it asked. `floor`: what any client knew before it asked. */
export class ReadLog {
  readonly #reader: string;
  readonly #lists: ListRead[] = [];
  readonly #gets: GetRead[] = [];

  constructor(reader: string) {
    this.#reader = reader;
  }

  get length(): number {
    return this.#lists.length + this.#gets.length;
  }

  list(read: ListRead): void {
    this.#lists.push(read);
  }
  get(read: GetRead): void {
    this.#gets.push(read);
  }

  /**
   * Every list shows one moment as it was, every consistent read a moment after it began, and none an earlier one than
   * the read before.
   */
  check(timeline: Timeline, end: number): void {
    const last = { consistent: 0, paged: 0, anyState: 0 };
    for (const { how, revision, items, floor } of this.#lists) {
      const what = `${this.#reader}: ${how} list at ${revision}`;
      expect(revision, `${what} went back in time`).to.be.at.least(last[how]);
      last[how] = revision;
      if (how !== 'anyState') expect(revision, `${what} is older than what was known before`).to.be.at.least(floor);
      if (revision <= end) expect(items, what).to.deep.equal(timeline.stateAt(revision));
    }
    let earliest = 0;
    for (const { name, write, floor } of this.#gets) {
      earliest = Math.max(earliest, floor);
      const moment = this.#firstMoment(timeline, { name, write, earliest });
      expect(
        moment,
        `${this.#reader}: got ${name} as ${write ?? 'absent'}, which it was not at or after ${earliest}`,
      ).to.not.equal(undefined);
      earliest = moment!;
    }
  }

  /** First revision not before `earliest` at which the object was as it was read. */
  #firstMoment(
    timeline: Timeline,
    { name, write, earliest }: { readonly name: string; readonly write: string | undefined; readonly earliest: number },
  ): number | undefined {
    const versions = timeline.versions(name);
    if (write !== undefined) {
      const version = versions.find((candidate) => candidate.write === write && candidate.to > earliest);
      return version === undefined ? undefined : Math.max(version.from, earliest);
    }
    const current = versions.find(({ from, to }) => from <= earliest && earliest < to);
    return current === undefined ? earliest : current.to === Infinity ? undefined : current.to;
  }
}
