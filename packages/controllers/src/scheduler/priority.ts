import type { Pod } from '@kubechain/apimachinery/types/core/v1';

/** How important a pod is. */
export function priorityOf({ spec }: Pod): number {
  return spec?.priority ?? 0;
}
