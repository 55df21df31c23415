import { isPlainObject } from '@kubechain/apimachinery';
import { differingPairs, type ValuePair } from './differing-pairs.ts';

/** Where two answers are not the same. */
export interface ValueDifference {
  /** `status.phase`, `items[0].spec`; '' for the whole. */
  readonly path: string;
  /** Absent: nothing was there. */
  readonly recorded?: unknown;
  readonly replayed?: unknown;
}

/** Members that are each server's own: ids and revisions. */
const own: ReadonlySet<string> = new Set(['uid', 'resourceVersion', 'continue', 'remainingItemCount']);
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/**
 * Compares two answers, and learns which id, revision or generated name of the second stands for one of the first.
 * Those, and times, are no differences; that one of them is missing is one.
 */
export class AnswerComparison {
  /** Ids and generated names, which also stand within texts. */
  readonly #names = new Map<string, string>();
  readonly #revisions = new Map<string, string>();

  /** A text of the recording with the ids and generated names that stand for its own here. */
  replaced(recorded: string): string {
    let text = recorded;
    for (const [name, here] of this.#names) text = text.replaceAll(name, here);
    return text;
  }

  /** The resourceVersion, or place in a list, that stands for one of the recording; undefined when none is known. */
  revision(recorded: string): string | undefined {
    return this.#revisions.get(recorded);
  }

  compare(recorded: unknown, replayed: unknown): readonly ValueDifference[] {
    this.#learn(recorded, replayed);
    const whole = { was: recorded, is: replayed, path: '', member: '' };
    return [...differingPairs(whole, (pair) => this.#same(pair))].map(({ is, path, was }) => ({
      path,
      ...(was === undefined ? {} : { recorded: was }),
      ...(is === undefined ? {} : { replayed: is }),
    }));
  }

  /** Names that the servers have made are known before they are compared elsewhere in the object. */
  #learn(recorded: unknown, replayed: unknown): void {
    if (!isPlainObject(recorded) || !isPlainObject(replayed)) return;
    const [one, other] = [recorded['metadata'], replayed['metadata']];
    if (!isPlainObject(one) || !isPlainObject(other)) return;
    const [name, generateName] = [one['name'], one['generateName']];
    if (typeof generateName === 'string' && generateName === other['generateName'])
      keepPair(this.#names, name, other['name']);
  }

  /** Whether two values stand for each other; ids and revisions are learnt on the way. */
  #same({ is, member, was }: ValuePair): boolean {
    if (typeof was === 'string' && typeof is === 'string') {
      if (own.has(member)) {
        keepPair(member === 'uid' ? this.#names : this.#revisions, was, is);
        return true;
      }
      return (time.test(was) && time.test(is)) || this.replaced(was) === is;
    }
    return was === is || (own.has(member) && typeof was === typeof is);
  }
}

function keepPair(names: Map<string, string>, recorded: unknown, replayed: unknown): void {
  if (typeof recorded === 'string' && recorded !== '' && typeof replayed === 'string') names.set(recorded, replayed);
}
