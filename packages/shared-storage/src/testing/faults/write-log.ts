import { assert } from 'chai';
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
  nextWrite(client: string): string { return `${client}-${++this.#writes}`; }

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
  learn(revision: number): void { this.known = Math.max(this.known, revision); }

  /**
   * Every acknowledged write happened, once, after everything that was acknowledged before it began; everything that
   * happened was asked for; no write happened twice.
   *
   * @param end revision up to which the timeline is complete
   */
  check(timeline: Timeline, end: number): void {
    const puts = new Map<string, Change[]>();
    const deletions = new Map<number, Change>();
    for (const change of timeline.changes) {
      if (change.type === 'DELETED') deletions.set(change.revision, change);
      else puts.set(change.write, [...puts.get(change.write) ?? [], change]);
    }
    for (const attempt of this.attempts) {
      const { kind, name, write, floor, outcome } = attempt;
      const what = `${kind} ${name} ${write} (begun at ${floor}, ${JSON.stringify(outcome)})`;
      if (kind === 'put') {
        const happened = puts.get(write) ?? [];
        puts.delete(write);
        assert.isAtMost(happened.length, 1, `${what} happened more than once`);
        const [change] = happened;
        if (change === undefined) {
          assert.notEqual(outcome.kind, 'acknowledged', `${what} is lost`);
          continue;
        }
        assert.equal(change.name, name, what);
        assert.isAbove(change.revision, floor, `${what} happened before it began`);
        if (outcome.kind === 'acknowledged' && outcome.revision !== undefined) assert.equal(change.revision, outcome.revision, `${what} has another revision`);
      } else if (outcome.kind === 'acknowledged' && outcome.revision !== undefined) {
        assert.equal(deletions.get(outcome.revision)?.name, name, `${what} is lost`);
        assert.isAbove(outcome.revision, floor, `${what} happened before it began`);
        deletions.delete(outcome.revision);
      }
    }
    assert.deepEqual([...puts.keys()], [], 'content that nobody wrote');
    this.#checkDeletions([...deletions.values()], end);
  }

  /** The rest of the deletions must be those whose answers told no revision, or never came. */
  #checkDeletions(deletions: readonly Change[], end: number): void {
    const left = new Set(deletions);
    // Who has been told goes first: an answered deletion must have happened, an unanswered one may have.
    const attempts = this.attempts.filter(({ kind, outcome }) => kind === 'delete' && (outcome.kind === 'unknown' || (outcome.kind === 'acknowledged' && outcome.revision === undefined)));
    attempts.sort((a, b) => Number(a.outcome.kind === 'unknown') - Number(b.outcome.kind === 'unknown') || b.floor - a.floor);
    for (const { name, floor, outcome } of attempts) {
      const match = [...left].filter(change => change.name === name && change.revision > floor).at(-1);
      if (match !== undefined) left.delete(match);
      else assert.notEqual(outcome.kind, 'acknowledged', `delete ${name}, begun at ${floor}, is lost (up to ${end})`);
    }
    assert.deepEqual([...left], [], 'deletions that nobody asked for');
  }
}
