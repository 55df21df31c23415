import type { PodSpec, PodTemplateSpec } from '@kubechain/apimachinery/types/core/v1';
import { roundResourceList, roundResources } from '../resource-list.ts';
import { defaultContainer } from './container-defaults.ts';
import { defaultVolume } from './volume-defaults.ts';

/**
 * Defaults of a pod spec, in pods and in templates alike (SetDefaults_PodSpec and what it reaches, pkg/apis/core/v1,
 * 1.36).
 */
export function defaultPodSpec(spec: PodSpec): void {
  spec.dnsPolicy ||= 'ClusterFirst';
  spec.restartPolicy ||= 'Always';
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= 30;
  spec.schedulerName ||= 'default-scheduler';
  // The old name of the field is kept in step with the new one, which wins.
  if (spec.serviceAccountName) spec.serviceAccount = spec.serviceAccountName;
  else if (spec.serviceAccount) spec.serviceAccountName = spec.serviceAccount;
  if (spec.volumes !== undefined) for (const volume of spec.volumes) defaultVolume(volume);
  if (spec.initContainers !== undefined) for (const container of spec.initContainers) defaultContainer(container);
  if (spec.containers !== undefined) for (const container of spec.containers) defaultContainer(container);
  if (spec.ephemeralContainers !== undefined)
    for (const container of spec.ephemeralContainers) defaultContainer(container);
  roundResourceList(spec.overhead);
  roundResources(spec.resources);
}

const removedAnnotations = [
  'pod.beta.kubernetes.io/init-containers',
  'pod.alpha.kubernetes.io/init-containers',
  'pod.beta.kubernetes.io/init-container-statuses',
  'pod.alpha.kubernetes.io/init-container-statuses',
];

/** Removes the annotations in which init containers once travelled. */
export function dropInitContainerAnnotations(metadata: { annotations?: Record<string, string> } | undefined): void {
  const annotations = metadata?.annotations;
  if (annotations !== undefined) for (const name of removedAnnotations) delete annotations[name];
}

/** Defaults of a template in a workload or a PodTemplate; makes the spec if it is missing. */
export function defaultPodTemplate(template: PodTemplateSpec): void {
  dropInitContainerAnnotations(template.metadata);
  defaultPodSpec((template.spec ??= {} as PodSpec));
}
