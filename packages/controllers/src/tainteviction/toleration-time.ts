import type { Pod, Taint, Toleration } from '@kubechain/apimachinery/types/core/v1';
import { tolerates } from '../placement/node-selection.ts';

/**
 * Milliseconds that a pod may stay on a node with these NoExecute taints: the shortest of the tolerations that let it,
 * each the first that fits a taint; 0 where a taint is not tolerated, undefined for as long as it likes.
 */
export function toleratedMs({ spec }: Pod, taints: readonly Taint[]): number | undefined {
  const seconds: number[] = [];
  for (const taint of taints) {
    const used = spec?.tolerations?.find((toleration: Toleration) => tolerates([toleration], taint));
    if (used === undefined) return 0;
    if (used.tolerationSeconds !== undefined) seconds.push(Math.max(0, used.tolerationSeconds));
  }
  return seconds.length === 0 ? undefined : Math.min(...seconds) * 1_000;
}

/** The taints of a node that end pods. */
export function noExecuteTaints(taints: readonly Taint[] | undefined): readonly Taint[] {
  return (taints ?? []).filter(({ effect }) => effect === 'NoExecute');
}
