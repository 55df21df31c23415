import type { Pod, ServicePort } from '@kubechain/apimachinery/types/core/v1';

/** The number of the port that a service's port means on a pod; undefined when the pod has no port of that name. */
export function targetPortOf(pod: Pod, { targetPort, port, protocol = 'TCP' }: ServicePort): number | undefined {
  if (typeof targetPort !== 'string') return targetPort === undefined || targetPort === 0 ? port : targetPort;
  const sidecars = (pod.spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  for (const container of [...(pod.spec?.containers ?? []), ...sidecars])
    for (const each of container.ports ?? [])
      if (each.name === targetPort && (each.protocol ?? 'TCP') === protocol) return each.containerPort;
  return undefined;
}
