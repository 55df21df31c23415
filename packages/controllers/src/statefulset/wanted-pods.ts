import type { StatefulSet } from '@kubechain/apimachinery/types/apps/v1';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { firstOrdinal, isInRange, ordinalOf } from './identity.ts';

/** Of pods that are not there, so many are planned in one pass; each that is made begins another. */
const MOST_PLANNED = 1_000;

/**
 * The pods that a set wants, lowest ordinal first: those that are there, and plans for those that are not. Not for all
 * of them where a set wants thousands of millions, as the reference does until it has no memory.
 */
export function wantedPods(set: StatefulSet, pods: readonly Pod[], plan: (ordinal: number) => Pod): Pod[] {
  const there = new Map<number, Pod>();
  for (const pod of pods) {
    const ordinal = ordinalOf(pod);
    if (isInRange(set, ordinal) && !there.has(ordinal)) there.set(ordinal, pod);
  }
  const wanted: Pod[] = [];
  let planned = 0;
  let ordinal = firstOrdinal(set);
  for (; isInRange(set, ordinal) && planned < MOST_PLANNED; ordinal++) {
    const pod = there.get(ordinal);
    if (pod === undefined) planned++;
    wanted.push(pod ?? plan(ordinal));
  }
  const beyond = [...there].filter(([of]) => of >= ordinal).sort(([a], [b]) => a - b);
  for (const [, pod] of beyond) wanted.push(pod);
  return wanted;
}
