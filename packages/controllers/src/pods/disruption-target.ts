import type { Pod, PodCondition } from '@kubechain/apimachinery/types/core/v1';
import { withCondition } from '../controller/conditions.ts';

/**
 * What a status patch says of a pod that is about to be disrupted, and by whom; undefined where it says so already.
 * For strategic merge, which finds conditions by their type.
 */
export function disruptionTarget(
  pod: Pod,
  { message, reason }: { readonly reason: string; readonly message: string },
  nowMs: number,
): readonly PodCondition[] | undefined {
  const type = 'DisruptionTarget';
  const known = pod.status?.conditions?.find((condition) => condition.type === type);
  if (known?.status === 'True' && known.reason === reason && known.message === message) return undefined;
  const observedGeneration = pod.metadata?.generation ?? 0;
  return withCondition(
    known === undefined ? [] : [known],
    { type, status: 'True', reason, message, observedGeneration },
    nowMs,
  );
}
