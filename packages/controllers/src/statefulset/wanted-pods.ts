import { loopTurns } from '@kubechain/apimachinery';
import type { StatefulSet } from '@kubechain/apimachinery/types/apps/v1';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { inTurns } from '../clock/in-turns.ts';
import { firstOrdinal, isInRange, ordinalOf } from './identity.ts';

/** Of pods that are not there, so many are planned in one pass; each that is made begins another. */
const MOST_PLANNED = 1_000;

/**
 * The pods that a set wants, lowest ordinal first: those that are there, and plans for those that are not. Not for all
 * of them where a set wants thousands of millions, as the reference does until it has no memory. A set may have a
 * hundred thousand: others have the thread meanwhile.
 */
export async function wantedPods(
  set: StatefulSet,
  pods: readonly Pod[],
  plan: (ordinal: number) => Pod,
): Promise<Pod[]> {
  const there = new Map<number, Pod>();
  await inTurns(pods, (pod) => {
    const ordinal = ordinalOf(pod);
    if (isInRange(set, ordinal) && !there.has(ordinal)) there.set(ordinal, pod);
  });
  const wanted: Pod[] = [];
  let planned = 0;
  let ordinal = firstOrdinal(set);
  for (; isInRange(set, ordinal) && planned < MOST_PLANNED; ordinal++) {
    const pod = there.get(ordinal);
    if (pod === undefined) planned++;
    wanted.push(pod ?? plan(ordinal));
    const turn = loopTurns.next();
    if (turn !== undefined) await turn;
  }
  const beyond = [...there].filter(([of]) => of >= ordinal).sort(([a], [b]) => a - b);
  for (const [, pod] of beyond) wanted.push(pod);
  return wanted;
}
