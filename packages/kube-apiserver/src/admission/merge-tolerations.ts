import type { Toleration } from '@kubechain/apimachinery/types/core/v1';
import { TolerationCover } from './toleration-cover.ts';

/** Both lists as one, without what another toleration covers (pkg/util/tolerations, 1.36); linear in their lengths. */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const all = [...first, ...second];
  const behind = new TolerationCover();
  const uncovered: Toleration[] = [];
  for (const toleration of all.toReversed()) {
    // Of equal ones the first stays.
    if (!behind.covers(toleration, { otherThanEqual: true })) uncovered.push(toleration);
    behind.add(toleration);
  }
  const before = new TolerationCover();
  return uncovered.toReversed().filter((toleration) => {
    if (before.covers(toleration)) return false;
    before.add(toleration);
    return true;
  });
}
