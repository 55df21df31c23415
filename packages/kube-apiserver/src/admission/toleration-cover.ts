import type { Toleration } from '@kubechain/apimachinery/types/core/v1';

/** Of tolerations that differ in how long they tolerate: the longest, and the longest that is not equal to it. */
interface Longest {
  readonly toleration: Toleration;
  readonly seconds: number;
  readonly next?: Longest;
}

/** Tolerations of one key and one effect. */
interface Alike {
  /** Of those that exist, whatever their value. */
  exists?: Longest;
  /** Of the others, by their value. */
  equal?: Map<string, Longest>;
  /** Those of no operator, or of one that covers nothing: each covers what is equal to it. */
  unnamed?: Set<string>;
}

/**
 * Tolerations, asked whether one of them tolerates all that another does, which has to name its operator (isSuperset of
 * pkg/util/tolerations, 1.36). An answer takes as long however many they are.
 */
export class TolerationCover {
  /** By effect, then by key. */
  readonly #alike = new Map<string, Map<string, Alike>>();

  constructor(tolerations: readonly Toleration[] = []) {
    for (const toleration of tolerations) this.add(toleration);
  }

  add(toleration: Toleration): void {
    const { effect, operator, tolerationSeconds, value = '' } = toleration;
    const alike = this.#alikeTo(toleration);
    const seconds = effect === 'NoExecute' ? (tolerationSeconds ?? Infinity) : Infinity;
    if (operator === 'Exists') alike.exists = withOne(alike.exists, { toleration, seconds });
    else {
      if (operator !== 'Equal') (alike.unnamed ??= new Set()).add(textOf(toleration));
      if (operator === 'Equal' || (operator ?? '') === '') {
        alike.equal ??= new Map<string, Longest>();
        alike.equal.set(value, withOne(alike.equal.get(value), { toleration, seconds }));
      }
    }
  }

  /** @param options `otherThanEqual`: one that is equal does not count */
  covers(toleration: Toleration, { otherThanEqual = false }: { readonly otherThanEqual?: boolean } = {}): boolean {
    const { key = '', operator, tolerationSeconds, value = '' } = toleration;
    const effect: string = toleration.effect ?? '';
    const isCovered = (by: Longest | undefined): boolean => {
      const other = otherThanEqual && by !== undefined && isEqual(by.toleration, toleration) ? by.next : by;
      return other !== undefined && (tolerationSeconds ?? Infinity) <= other.seconds;
    };
    const same = this.#alike.get(effect)?.get(key);
    if (!otherThanEqual && same?.unnamed?.has(textOf(toleration)) === true) return true;
    for (const ofEffect of effect === '' ? [''] : [effect, '']) {
      const alike = this.#alike.get(ofEffect);
      // One of whatever key has none, and looks at no value.
      if (isCovered(alike?.get(key)?.exists) || isCovered(alike?.get('')?.exists)) return true;
      if (operator === 'Equal' && isCovered(alike?.get(key)?.equal?.get(value))) return true;
    }
    return false;
  }

  #alikeTo({ effect, key = '' }: Toleration): Alike {
    let ofEffect = this.#alike.get(effect ?? '');
    if (ofEffect === undefined) this.#alike.set(effect ?? '', (ofEffect = new Map<string, Alike>()));
    let alike = ofEffect.get(key);
    if (alike === undefined) ofEffect.set(key, (alike = {}));
    return alike;
  }
}

function withOne(longest: Longest | undefined, one: Longest): Longest {
  if (longest === undefined) return one;
  const { next, seconds, toleration } = longest;
  if (isEqual(one.toleration, toleration)) return longest;
  if (one.seconds > seconds) return { ...one, next: { toleration, seconds } };
  return next !== undefined && next.seconds >= one.seconds ? longest : { ...longest, next: one };
}

/** Of two of the same key and effect. */
function isEqual(a: Toleration, b: Toleration): boolean {
  return (
    (a.operator ?? '') === (b.operator ?? '') &&
    (a.value ?? '') === (b.value ?? '') &&
    a.tolerationSeconds === b.tolerationSeconds &&
    (a.key ?? '') === (b.key ?? '') &&
    (a.effect ?? '') === (b.effect ?? '')
  );
}

/** What tells one of the same key and effect from another. */
function textOf({ operator, tolerationSeconds, value = '' }: Toleration): string {
  return `${tolerationSeconds ?? ''} ${value.length} ${value} ${operator ?? ''}`;
}
