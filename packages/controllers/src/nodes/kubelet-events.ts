import type { ContainerStatus, Pod, PodStatus } from '@kubechain/apimachinery/types/core/v1';
import { refusedPrefix } from './node-refusal.ts';
import { overdueReason } from './pod-stages.ts';

/** What a kubelet tells of a pod, or of one of its containers. */
export interface KubeletEvent {
  /** `spec.containers{c}`; undefined: of the pod itself. */
  readonly fieldPath: string | undefined;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** What is told when a pod's status becomes another (pkg/kubelet, 1.36); images are there already. */
export function eventsOfChange(pod: Pod, status: PodStatus): readonly KubeletEvent[] {
  const before = pod.status ?? {};
  const of = (kind: 'containers' | 'initContainers', was: readonly ContainerStatus[], is: readonly ContainerStatus[]) =>
    is.flatMap((now) =>
      eventsOfContainer(
        pod,
        was.find(({ name }) => name === now.name),
        now,
      ).map((event): KubeletEvent => ({ fieldPath: `spec.${kind}{${now.name}}`, ...event })),
    );
  return [
    ...of('initContainers', before.initContainerStatuses ?? [], status.initContainerStatuses ?? []),
    ...of('containers', before.containerStatuses ?? [], status.containerStatuses ?? []),
    ...eventsOfEarlyEnd(before, status),
  ];
}

/** A kubelet has ended a pod, or refused it, for reasons of the node's or of the pod as a whole. */
function eventsOfEarlyEnd(before: PodStatus, { message = '', reason = '' }: PodStatus): readonly KubeletEvent[] {
  if (reason === before.reason) return [];
  const fieldPath = undefined;
  if (message.startsWith(refusedPrefix))
    return [{ fieldPath, type: 'Warning', reason, message: message.slice(refusedPrefix.length) }];
  if (reason === overdueReason) return [{ fieldPath, type: 'Normal', reason, message }];
  return reason === 'Evicted' ? [{ fieldPath, type: 'Warning', reason, message }] : [];
}

/** What is told when a pod is ended because it was deleted. */
export function eventsOfEnd({ status }: Pod): readonly KubeletEvent[] {
  return (status?.containerStatuses ?? [])
    .filter(({ state }) => state?.running !== undefined)
    .map(({ name }) => ({
      fieldPath: `spec.containers{${name}}`,
      type: 'Normal',
      reason: 'Killing',
      message: `Stopping container ${name}`,
    }));
}

type ContainerEvent = Omit<KubeletEvent, 'fieldPath'>;

const normal = (reason: string, message: string): ContainerEvent => ({ type: 'Normal', reason, message });
const warning = (reason: string, message: string): ContainerEvent => ({ type: 'Warning', reason, message });

function eventsOfContainer(
  { metadata }: Pod,
  before: ContainerStatus | undefined,
  { image, name, state }: ContainerStatus,
): readonly ContainerEvent[] {
  const quoted = JSON.stringify(image);
  const { running, terminated, waiting } = state ?? {};
  if (waiting?.reason === before?.state?.waiting?.reason && waiting !== undefined) return [];
  if (waiting?.reason === 'ImagePullBackOff')
    return [normal('BackOff', `Back-off pulling image ${quoted}`), warning('Failed', 'Error: ImagePullBackOff')];
  if (waiting?.reason === 'CrashLoopBackOff') {
    const pod = `${metadata?.name ?? ''}_${metadata?.namespace ?? ''}(${metadata?.uid ?? ''})`;
    return [warning('BackOff', `Back-off restarting failed container ${name} in pod ${pod}`)];
  }
  const wasRunning = before?.state?.running !== undefined;
  const begins = (running !== undefined && !wasRunning) || (terminated !== undefined && before === undefined);
  if (!begins) return [];
  return [
    normal('Pulled', `Container image ${quoted} already present on machine and can be accessed by the pod`),
    normal('Created', 'Container created'),
    normal('Started', 'Container started'),
  ];
}
