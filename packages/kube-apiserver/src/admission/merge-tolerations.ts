import type { Toleration } from '@kubechain/apimachinery/types/core/v1';
import { semanticEqual } from '../registry/semantic-equal.ts';

/** Both lists as one, without what another toleration covers (pkg/util/tolerations, 1.36). */
export function mergeTolerations(first: readonly Toleration[], second: readonly Toleration[]): Toleration[] {
  const all = [...first, ...second];
  const merged: Toleration[] = [];
  all.forEach((toleration, i) => {
    if (merged.some((other) => coversToleration(other, toleration))) return;
    // Of equal ones the first stays.
    if (all.slice(i + 1).some((other) => !semanticEqual(other, toleration) && coversToleration(other, toleration)))
      return;
    merged.push(toleration);
  });
  return merged;
}

/** Whether a toleration tolerates all that another does, which has to name its operator (isSuperset). */
export function coversToleration(wide: Toleration, narrow: Toleration): boolean {
  if (semanticEqual(wide, narrow)) return true;
  const anyKey = (wide.key ?? '') === '' && wide.operator === 'Exists';
  if ((wide.key ?? '') !== (narrow.key ?? '') && !anyKey) return false;
  if ((wide.effect ?? '') !== (narrow.effect ?? '') && (wide.effect ?? '') !== '') return false;
  if (
    wide.effect === 'NoExecute' &&
    wide.tolerationSeconds !== undefined &&
    (narrow.tolerationSeconds === undefined || narrow.tolerationSeconds > wide.tolerationSeconds)
  )
    return false;
  switch (wide.operator ?? '') {
    case 'Equal':
    case '':
      return narrow.operator === 'Equal' && (narrow.value ?? '') === (wide.value ?? '');
    case 'Exists':
      return true;
    default:
      return false;
  }
}
