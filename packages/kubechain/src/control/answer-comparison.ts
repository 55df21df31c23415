import { isPlainObject } from '@kubechain/apimachinery';

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
    const found: ValueDifference[] = [];
    this.#learn(recorded, replayed);
    this.#compare({ recorded, replayed, path: '', member: '' }, found);
    return found;
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

  #compare(pair: Pair, found: ValueDifference[]): void {
    const { member, path, recorded, replayed } = pair;
    if (Array.isArray(recorded) && Array.isArray(replayed)) {
      for (let i = 0; i < Math.max(recorded.length, replayed.length); i++)
        this.#compare({ recorded: recorded[i], replayed: replayed[i], path: `${path}[${i}]`, member: '' }, found);
      return;
    }
    if (isPlainObject(recorded) && isPlainObject(replayed)) {
      for (const name of new Set([...Object.keys(recorded), ...Object.keys(replayed)]))
        this.#compare(
          {
            recorded: recorded[name],
            replayed: replayed[name],
            path: path === '' ? name : `${path}.${name}`,
            member: name,
          },
          found,
        );
      return;
    }
    if (typeof recorded === 'string' && typeof replayed === 'string') {
      if (own.has(member)) {
        keepPair(member === 'uid' ? this.#names : this.#revisions, recorded, replayed);
        return;
      }
      if (time.test(recorded) && time.test(replayed)) return;
      if (this.replaced(recorded) === replayed) return;
    }
    if (recorded === replayed || (own.has(member) && typeof recorded === typeof replayed)) return;
    found.push({
      path,
      ...(recorded === undefined ? {} : { recorded }),
      ...(replayed === undefined ? {} : { replayed }),
    });
  }
}

interface Pair {
  readonly recorded: unknown;
  readonly replayed: unknown;
  readonly path: string;
  /** Name of the member that holds the values; '' of lists. */
  readonly member: string;
}

function keepPair(names: Map<string, string>, recorded: unknown, replayed: unknown): void {
  if (typeof recorded === 'string' && recorded !== '' && typeof replayed === 'string') names.set(recorded, replayed);
}
