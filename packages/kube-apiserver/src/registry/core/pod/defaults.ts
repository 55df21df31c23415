import { noteEmptied, wasEmptied } from '@kubechain/apimachinery';
import type { Container, Pod, PodSpec, PodStatus } from '@kubechain/apimachinery/types/core/v1';
import { roundResourceList, roundResources } from '../resource-list.ts';
import { aggregateContainerResources } from '@kubechain/component-helpers';
import { defaultPodSpec, dropInitContainerAnnotations } from './pod-spec-defaults.ts';

/** Defaults of pods (SetObjectDefaults_Pod and the conversion of pkg/apis/core/v1, 1.36). */
export function defaultPod(pod: Pod): void {
  dropInitContainerAnnotations(pod.metadata);
  const spec = (pod.spec ??= { containers: [] });
  if (spec.containers !== undefined) for (const container of spec.containers) requestLimits(container);
  if (spec.initContainers !== undefined) for (const container of spec.initContainers) requestLimits(container);
  if (spec.resources !== undefined) defaultPodLevelResources(spec);
  spec.enableServiceLinks ??= true;
  if (spec.hostNetwork === true) {
    if (spec.containers !== undefined) for (const container of spec.containers) exposeOnHost(container);
    if (spec.initContainers !== undefined) for (const container of spec.initContainers) exposeOnHost(container);
  }
  defaultPodSpec(spec);
  if (spec.terminationGracePeriodSeconds !== undefined && spec.terminationGracePeriodSeconds < 0)
    spec.terminationGracePeriodSeconds = 1;
  if (pod.status !== undefined) defaultPodStatus(pod.status);
}

/** The same where volumes that are images are not known: they get no pull policy before they go. */
export function defaultFormerPod(pod: Pod): void {
  const images = (pod.spec?.volumes ?? []).flatMap(({ image }) =>
    image !== undefined && (image.pullPolicy ?? '') === '' ? [image] : [],
  );
  defaultPod(pod);
  for (const image of images) delete image.pullPolicy;
}

/**
 * Who limits a resource and does not say how much of it is needed, needs as much as the limit. Only in pods, not in
 * templates.
 */
function requestLimits(container: Container): void {
  const limits = container.resources?.limits;
  if (container.resources === undefined || limits === undefined) {
    // Limits without entries give requests without entries, which texts of mistakes show.
    if (wasEmptied(container.resources, 'limits') && container.resources?.requests === undefined)
      noteEmptied(container.resources as object, 'requests', 'map');
    return;
  }
  const requests = (container.resources.requests ??= {});
  for (const name in limits) requests[name] ??= limits[name] as string;
}

/** In the host's network a container's port is a port of the host. */
function exposeOnHost(container: Container): void {
  if (container.ports !== undefined) for (const port of container.ports) port.hostPort ||= port.containerPort;
}

/**
 * Resources of the whole pod, as far as some are given: hugepages from the containers' limits, requests from the
 * containers' or from the limits.
 */
export function defaultPodLevelResources(spec: PodSpec): void {
  const resources = spec.resources ?? {};
  const some = (list: Record<string, string> | undefined): boolean =>
    list !== undefined && Object.keys(list).length > 0;
  if (!some(resources.limits) && !some(resources.requests)) return;
  const limits: Record<string, string> = { ...resources.limits };
  for (const [name, quantity] of aggregateContainerResources(spec, 'limits')) {
    if (name.startsWith(hugePages) && resources.requests?.[name] === undefined) limits[name] ??= quantity.toString();
  }
  if (!some(limits)) return;
  resources.limits = limits;
  const requests: Record<string, string> = { ...resources.requests };
  for (const [name, quantity] of aggregateContainerResources(spec, 'requests'))
    if (name === 'cpu' || name === 'memory') requests[name] ??= quantity.toString();
  for (const [name, text] of Object.entries(limits))
    if (name === 'cpu' || name === 'memory' || name.startsWith(hugePages)) requests[name] ??= text;
  if (some(requests)) resources.requests = requests;
}

const hugePages = 'hugepages-';

function defaultPodStatus(status: PodStatus): void {
  for (const list of [status.initContainerStatuses, status.containerStatuses, status.ephemeralContainerStatuses]) {
    if (list === undefined) continue;
    for (const container of list) {
      roundResourceList(container.allocatedResources);
      roundResources(container.resources);
    }
  }
  roundResourceList(status.allocatedResources);
  roundResources(status.resources);
  // podIP is the first of podIPs; where they differ, the old field has the word.
  if (status.podIP && status.podIPs?.[0]?.ip !== status.podIP) status.podIPs = [{ ip: status.podIP }];
  else if (!status.podIP && status.podIPs?.[0] !== undefined) status.podIP = status.podIPs[0].ip ?? '';
}
