import { expect } from 'chai';
import type { Change, Timeline } from './timeline.ts';

/** What became of a write, as far as its client knows. */
export type Outcome =
  /** The revision is absent where the answer does not tell it. */
  | { readonly kind: 'acknowledged'; readonly revision: number | undefined }
  /** Nothing was there to delete. */
  | { readonly kind: 'absent' }
  /** No answer, or one that does not say: it may have happened, may still happen, or never will. */
  | { readonly kind: 'unknown'; readonly why: string };

/** One write under way or done. */
export interface Attempt {
  readonly kind: 'put' | 'delete';
  readonly name: string;
  /** '' for a deletion. */
  readonly write: string;
  /** A revision that the store had reached before the write began. */
  readonly floor: number;
  outcome: Outcome;
}

/** All writes of all clients. */
export class WriteLog {
  readonly attempts: Attempt[] = [];
  acknowledged = 0;
  /** The highest revision that any client has been told; whatever begins from now on must see it. */
  known = 0;
  #writes = 0;

  /** A name for a write's content, never given twice. */
  nextWrite(client: string): string {
    return `${client}-${++this.#writes}`;
  }

  begin(attempt: Pick<Attempt, 'kind' | 'name' | 'write'>): Attempt {
    const begun: Attempt = { ...attempt, floor: this.known, outcome: { kind: 'unknown', why: 'no answer yet' } };
    this.attempts.push(begun);
    return begun;
  }

  end(attempt: Attempt, outcome: Outcome): void {
    attempt.outcome = outcome;
    if (outcome.kind !== 'acknowledged') return;
    this.acknowledged++;
    this.learn(outcome.revision ?? 0);
  }

  /** A client has been told this revision. */
  learn(revision: number): void {
    this.known = Math.max(this.known, revision);
  }

  /**
   * Every acknowledged write happened, once, after everything that was acknowledged before it began; everything that
   * happened was asked for; no write happened twice.
   */
  check(timeline: Timeline): void {
    const puts = new Map<string, Change[]>();
    const deletions = new Map<number, Change>();
    for (const change of timeline.changes) {
      if (change.type === 'DELETED') deletions.set(change.revision, change);
      else puts.set(change.write, [...(puts.get(change.write) ?? []), change]);
    }
    for (const attempt of this.attempts) {
      const { kind, name, write, floor, outcome } = attempt;
      const what = `${kind} ${name} ${write} (begun at ${floor}, ${JSON.stringify(outcome)})`;
      if (kind === 'put') {
        const happened = puts.get(write) ?? [];
        puts.delete(write);
        expect(happened.length, `${what} happened more than once`).to.be.at.most(1);
        const [change] = happened;
        if (change === undefined) {
          expect(outcome.kind, `${what} is lost`).to.not.equal('acknowledged');
          continue;
        }
        expect(change.name, what).to.equal(name);
        expect(change.revision, `${what} happened before it began`).to.be.above(floor);
        if (outcome.kind === 'acknowledged' && outcome.revision !== undefined)
          expect(change.revision, `${what} has another revision`).to.equal(outcome.revision);
      } else if (outcome.kind === 'acknowledged' && outcome.revision !== undefined) {
        expect(deletions.get(outcome.revision)?.name, `${what} is lost`).to.equal(name);
        expect(outcome.revision, `${what} happened before it began`).to.be.above(floor);
        deletions.delete(outcome.revision);
      }
    }
    expect([...puts.keys()], 'content that nobody wrote').to.deep.equal([]);
    this.#checkDeletions([...deletions.values()]);
  }

  /**
   * The rest of the deletions, and the attempts whose answers told no revision or never came, must fit together: each
   * deletion is somebody's, and each answered attempt has one. Whoever fits both ways fits at once
   * (Mendelsohn-Dulmage).
   */
  #checkDeletions(deletions: readonly Change[]): void {
    const attempts = this.attempts.filter(
      ({ kind, outcome }) =>
        kind === 'delete' &&
        (outcome.kind === 'unknown' || (outcome.kind === 'acknowledged' && outcome.revision === undefined)),
    );
    for (const { name, revision } of deletions) {
      // What one deletion could be of, all later ones could, too.
      const index = attempts.findIndex((attempt) => attempt.name === name && attempt.floor < revision);
      expect(
        index,
        `deletion of ${name} at ${revision}, that nobody asked for; its writes: ` +
          `${JSON.stringify(this.attempts.filter((attempt) => attempt.name === name))}`,
      ).to.be.at.least(0);
      attempts.splice(index, 1);
    }
    const left = [...deletions];
    const answered = this.attempts.filter(
      ({ kind, outcome }) => kind === 'delete' && outcome.kind === 'acknowledged' && outcome.revision === undefined,
    );
    for (const { name, floor } of answered.reverse()) {
      const index = left.findIndex((change) => change.name === name && change.revision > floor);
      expect(index, `delete ${name}, begun at ${floor}, is lost`).to.be.at.least(0);
      left.splice(index, 1);
    }
  }
}
