import { formatTime } from '@kubechain/apimachinery';
import type { Pod, PodStatus } from '@kubechain/apimachinery/types/core/v1';
import { isPodEnded } from '../pods/pod-state.ts';
import { hostPortsOf, portsClash } from '../scheduler/pod-demand.ts';

/** Why a kubelet takes in no pod that was bound to its node past the scheduler. */
export interface Refusal {
  readonly reason: string;
  readonly message: string;
}

/**
 * Whether a pod that has not begun finds a port of its node taken (`NodePorts` of kubelet's predicates, 1.36). Asks
 * for the pods of the node only where it wants one; of those that have not begun either, the older ones come first.
 */
export function refusalOf(pod: Pod, podsOnNode: () => readonly Pod[]): Refusal | undefined {
  const wanted = hostPortsOf(pod);
  if (wanted.length === 0) return undefined;
  const clashes = podsOnNode().some(
    (other) =>
      other.metadata?.uid !== pod.metadata?.uid &&
      !isPodEnded(other) &&
      (hasBegun(other) || isOlder(other, pod)) &&
      hostPortsOf(other).some((taken) => wanted.some((port) => portsClash(taken, port))),
  );
  if (!clashes) return undefined;
  const message = "Predicate NodePorts failed: node(s) didn't have free ports for the requested pod ports";
  return { reason: 'NodePorts', message };
}

/** As kubelet leaves a pod behind that it has refused: it has failed, and nothing of it was started. */
export function refusedStatus({ status }: Pod, { message, reason }: Refusal, nowMs: number): PodStatus {
  return {
    ...status,
    phase: 'Failed',
    reason,
    message: `${refusedPrefix}${message}`,
    startTime: status?.startTime ?? formatTime(nowMs),
  };
}

/** What precedes a refusal's message in the status of a pod. */
export const refusedPrefix = 'Pod was rejected: ';

function hasBegun({ status }: Pod): boolean {
  return (status?.containerStatuses ?? []).length > 0;
}

function isOlder({ metadata: a }: Pod, { metadata: b }: Pod): boolean {
  const [ofA, ofB] = [a?.creationTimestamp ?? '', b?.creationTimestamp ?? ''];
  return ofA === ofB ? (a?.uid ?? '') < (b?.uid ?? '') : ofA < ofB;
}
