import { FieldPath } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import type { FieldReader, Strategy } from '@kubechain/apiserver';
import { textField, zeroedField } from '../../field-readers.ts';
import { copyField, specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { qualityOfService } from './quality-of-service.ts';
import { podWarnings } from './warnings.ts';
import { validatePod, validatePodStatus, validatePodUpdate } from './validation/pod.ts';

/** What the strategies and subresources of pods look at. */
export interface PodView {
  readonly spec?: { nodeName?: string; terminationGracePeriodSeconds?: number; schedulingGates?: readonly unknown[] };
  readonly status?: { phase?: string; qosClass?: string };
}

/** Pods: pending at first, with their quality of service; deleted gracefully once they are on a node (pkg/registry/core/pod/strategy.go, 1.36). */
export const podStrategy: Strategy = specStrategy({
  ...validated({ create: validatePod, update: validatePodUpdate }),
  generation: 'spec',
  status: true,
  warningsOnCreate: (pod) => podWarnings((pod as Pod).spec, FieldPath.root),
  prepareForCreate(pod) {
    pod['status'] = { phase: 'Pending', qosClass: qualityOfService(pod) };
    if (((pod as PodView).spec?.schedulingGates?.length ?? 0) > 0) {
      (pod['status'] as Record<string, unknown>)['conditions'] = [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated', message: 'Scheduling is blocked due to non-empty scheduling gates', lastProbeTime: null, lastTransitionTime: null }];
    }
  },
  checkGracefulDelete(object, options) {
    const pod = object as PodView & KubeObject;
    let seconds = options.gracePeriodSeconds ?? pod.spec?.terminationGracePeriodSeconds ?? 0;
    const scheduled = (pod.spec?.nodeName ?? '') !== '';
    const finished = pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded';
    if (!scheduled || finished) seconds = 0;
    options.gracePeriodSeconds = seconds < 0 ? 1 : seconds;
    return true;
  },
});

const podStatusRules = statusStrategy({
  hooks: {
    ...validated({ update: validatePodStatus }),
    prepareForUpdate(pod, old) {
      if (pod.metadata !== undefined) {
        delete pod.metadata.deletionTimestamp;
        if (old.metadata?.ownerReferences === undefined) delete pod.metadata.ownerReferences;
        else pod.metadata.ownerReferences = old.metadata.ownerReferences;
      }
      const status = pod['status'] as { qosClass?: string } | undefined;
      const before = (old as PodView).status?.qosClass;
      if (status !== undefined && (status.qosClass ?? '') === '' && before !== undefined) status.qosClass = before;
    },
  },
});

/** Pod's status endpoint: the kubelet's. Owners and quality of service are not its business. */
export const podStatusStrategy: Strategy = { ...podStatusRules, resetFields: ['spec', 'metadata.deletionTimestamp', 'metadata.ownerReferences'] };

/** The ephemeralcontainers endpoint: changes spec.ephemeralContainers and nothing else of the spec. */
export const podEphemeralContainersStrategy: Strategy = {
  resetFields: ['status'],
  prepareForUpdate(pod, old) {
    const wanted = (pod['spec'] as Record<string, unknown> | undefined)?.['ephemeralContainers'];
    const spec: Record<string, unknown> = { ...(old['spec'] as object) };
    if (wanted === undefined) delete spec['ephemeralContainers'];
    else spec['ephemeralContainers'] = wanted;
    pod['spec'] = spec;
    copyField(old, pod, 'status');
    if (pod.metadata !== undefined) pod.metadata.generation = (old.metadata?.generation ?? 0) + (JSON.stringify(old['spec']) === JSON.stringify(spec) ? 0 : 1);
  },
};

/** The resize endpoint: changes the resources of containers and nothing else of the spec. */
export const podResizeStrategy: Strategy = {
  resetFields: ['status'],
  prepareForUpdate(pod, old) {
    const resized = pod['spec'] as Record<string, unknown> | undefined;
    const spec: Record<string, unknown> = { ...(old['spec'] as object) };
    for (const field of ['containers', 'initContainers']) {
      const wanted = new Map(((resized?.[field] ?? []) as { name: string }[]).map((container) => [container.name, container as Record<string, unknown>]));
      const current = spec[field] as Record<string, unknown>[] | undefined;
      if (current !== undefined) spec[field] = current.map((container) => resizedContainer(container, wanted.get(String(container['name']))));
    }
    pod['spec'] = spec;
    copyField(old, pod, 'status');
    if (pod.metadata !== undefined) pod.metadata.generation = (old.metadata?.generation ?? 0) + (JSON.stringify(old['spec']) === JSON.stringify(spec) ? 0 : 1);
  },
};

function resizedContainer(container: Record<string, unknown>, wanted: Record<string, unknown> | undefined): Record<string, unknown> {
  if (wanted === undefined) return container;
  const result = { ...container };
  for (const field of ['resources', 'resizePolicy']) {
    if (wanted[field] === undefined) delete result[field];
    else result[field] = wanted[field];
  }
  return result;
}

/** What field selectors on pods may name. */
export const podFields: Readonly<Record<string, FieldReader>> = {
  'spec.nodeName': textField('spec.nodeName'),
  'spec.restartPolicy': textField('spec.restartPolicy'),
  'spec.schedulerName': textField('spec.schedulerName'),
  'spec.serviceAccountName': textField('spec.serviceAccountName'),
  'spec.hostNetwork': zeroedField('spec.hostNetwork', 'false'),
  'status.phase': textField('status.phase'),
  'status.podIP': textField('status.podIP'),
  'status.podIPs': textField('status.podIP'),
  'status.nominatedNodeName': textField('status.nominatedNodeName'),
};
