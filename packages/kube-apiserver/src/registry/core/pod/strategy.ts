import type { Capabilities } from '../../capabilities.ts';
import { FieldPath, formatTime, ipWarnings } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { Container, Pod, PodSpec } from '@kubechain/apimachinery/types/core/v1';
import type { FieldReader, Strategy } from '@kubechain/apiserver/resources';
import type { RegistryContext } from '../../storage-provider.ts';
import { textField, zeroedField } from '../../field-readers.ts';
import { semanticEqual } from '../../semantic-equal.ts';
import { copyField, resetMetadataForStatus, specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { takeAppArmorAnnotations } from './app-armor.ts';
import { dropDisabledFields } from '../../pod-template/disabled-fields.ts';
import { forgiving } from './validation/kept-mistakes.ts';
import { dropDisabledStatusFields } from './disabled-status-fields.ts';
import { mergeLabelKeys } from './label-keys.ts';
import { qualityOfService } from '@kubechain/component-helpers';
import { newPodWarnings } from './warnings.ts';
import { validateEphemeralContainersUpdate } from './validation/pod-ephemeral.ts';
import { validatePodResize } from './validation/pod-resize.ts';
import { validatePodStatus } from './validation/pod-status.ts';
import { validatePodUpdate } from './validation/pod-update.ts';
import { validatePod } from './validation/pod.ts';

/** What the strategies and subresources of pods look at. */
export interface PodView {
  readonly spec?: { nodeName?: string; terminationGracePeriodSeconds?: number; schedulingGates?: readonly unknown[] };
  readonly status?: { phase?: string; qosClass?: string };
}

/**
 * Pods: pending at first, with their quality of service; deleted gracefully once they are on a node
 * (pkg/registry/core/pod/strategy.go, 1.36).
 */
export const podStrategy = ({ capabilities, clock }: Pick<RegistryContext, 'capabilities' | 'clock'>): Strategy =>
  specStrategy({
    ...validated<Pod>({
      create: (object) => validatePod(object, capabilities),
      update: (object, old) => forgiving(capabilities, old, (lenient) => validatePodUpdate(object, old, lenient)),
    }),
    generation: 'spec',
    // Creators may say what quality of service a pod has; nothing else of its status.
    status: 'created',
    warningsOnCreate: (pod) => newPodWarnings(pod as Pod, FieldPath.root),
    prepareForCreate(pod, { request }) {
      dropDisabledFields((pod as Pod).spec, capabilities);
      mergeLabelKeys(pod as Pod);
      pod['status'] = { phase: 'Pending', qosClass: (pod as PodView).status?.qosClass || qualityOfService(pod) };
      if (((pod as PodView).spec?.schedulingGates?.length ?? 0) > 0) {
        (pod['status'] as Record<string, unknown>)['conditions'] = [
          {
            type: 'PodScheduled',
            status: 'False',
            reason: 'SchedulingGated',
            message: 'Scheduling is blocked due to non-empty scheduling gates',
            lastProbeTime: null,
            lastTransitionTime: formatTime(clock.now()),
          },
        ];
      }
      for (const warning of takeAppArmorAnnotations(pod as Pod)) request.addWarning(warning);
    },
    prepareForUpdate(pod, old) {
      dropDisabledFields((pod as Pod).spec, capabilities, (old as Pod).spec);
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

/** Pod's status endpoint: the kubelet's. Owners and quality of service are not its business. */
export const podStatusStrategy = (capabilities: Pick<Capabilities, 'enabled'>): Strategy => ({
  ...statusStrategy({
    hooks: {
      ...validated({ update: validatePodStatus }),
      prepareForUpdate(pod, old) {
        if (pod.metadata !== undefined) {
          delete pod.metadata.deletionTimestamp;
          if (old.metadata?.ownerReferences === undefined) delete pod.metadata.ownerReferences;
          else pod.metadata.ownerReferences = old.metadata.ownerReferences;
        }
        dropDisabledStatusFields(((pod as Pod).status ??= {}), capabilities, (old as Pod).status);
        keepStatusOf(pod as Pod, old as Pod);
      },
      warningsOnUpdate: (pod) => statusWarnings(pod as Pod),
    },
  }),
  resetFields: ['spec', 'metadata.deletionTimestamp', 'metadata.ownerReferences'],
});

/** Old kubelets do not know the quality of service nor observed generations: what they leave out stays. */
function keepStatusOf({ status }: Pod, old: Pod): void {
  if (status === undefined) return;
  if (!status.qosClass && old.status?.qosClass !== undefined) status.qosClass = old.status.qosClass;
  if (!status.observedGeneration && old.status?.observedGeneration)
    status.observedGeneration = old.status.observedGeneration;
  const before = Map.groupBy(old.status?.conditions?.toReversed() ?? [], ({ type }) => type);
  for (const condition of status.conditions ?? []) {
    const known = before.get(condition.type)?.pop();
    if (!condition.observedGeneration && known?.observedGeneration)
      condition.observedGeneration = known.observedGeneration;
  }
}

function statusWarnings({ status }: Pod): string[] {
  const warnings = (list: 'podIPs' | 'hostIPs'): string[] =>
    (status?.[list] ?? []).flatMap(({ ip = '' }: { ip?: string }, i) =>
      ipWarnings(FieldPath.of('status', list).index(i).child('ip'), ip),
    );
  return [...warnings('podIPs'), ...warnings('hostIPs')];
}

/**
 * The ephemeralcontainers endpoint: changes spec.ephemeralContainers and nothing else (podEphemeralContainersStrategy).
 * Who sends other fields here owns them, as in the reference, whose storage does not ask the strategy for its filter.
 */
export const podEphemeralContainersStrategy = (capabilities: Capabilities): Strategy => ({
  updateChecksMetadata: ['update', 'object'],
  ...validated<Pod>({
    update: (pod, old) =>
      forgiving(capabilities, old, (lenient) => validateEphemeralContainersUpdate(pod, old, lenient)),
  }),
  prepareForUpdate(pod, old) {
    const wanted = (pod as Pod).spec?.ephemeralContainers;
    const spec: PodSpec = { ...((old as Pod).spec ?? { containers: [] }) };
    if (wanted === undefined) delete spec.ephemeralContainers;
    else spec.ephemeralContainers = wanted;
    dropDisabledFields(spec, capabilities, (old as Pod).spec);
    keepAllBut(pod, old, spec);
  },
});

/**
 * The resize endpoint: changes resources and resize policies and nothing else (podResizeStrategy). Who sends other
 * fields here owns them, as in the reference.
 */
export const podResizeStrategy = (capabilities: Capabilities): Strategy => ({
  updateChecksMetadata: ['update', 'object'],
  ...validated<Pod>({
    update: (pod, old) => forgiving(capabilities, old, (lenient) => validatePodResize(pod, old, lenient)),
  }),
  prepareForUpdate(pod, old) {
    const wanted: Partial<PodSpec> = (pod as Pod).spec ?? {};
    const before: Partial<PodSpec> = (old as Pod).spec ?? {};
    const sameLength = (list: 'containers' | 'initContainers'): boolean =>
      (wanted[list]?.length ?? 0) === (before[list]?.length ?? 0);
    dropDisabledFields((pod as Pod).spec, capabilities, (old as Pod).spec);
    // Validation says what is wrong with containers that come, go or change places.
    if (!sameLength('containers') || !sameLength('initContainers')) {
      bumpGeneration(pod, old);
      return;
    }
    const spec: PodSpec = { ...before, containers: resized(wanted.containers ?? [], before.containers ?? []) };
    if (wanted.initContainers !== undefined)
      spec.initContainers = resized(wanted.initContainers, before.initContainers ?? []);
    if (wanted.resources === undefined) delete spec.resources;
    else spec.resources = wanted.resources;
    keepAllBut(pod, old, spec);
  },
});

function resized(wanted: readonly Container[], before: readonly Container[]): Container[] {
  if (before.some(({ name }, i) => wanted[i]?.name !== name)) return [...wanted];
  return before.map((container, i) => {
    const result: Container = { ...container };
    for (const field of ['resources', 'resizePolicy'] as const) {
      const value = wanted[i]?.[field];
      if (value === undefined) delete result[field];
      else Object.assign(result, { [field]: value });
    }
    return result;
  });
}

function keepAllBut(pod: KubeObject, old: KubeObject, spec: PodSpec): void {
  pod['spec'] = spec;
  copyField(old, pod, 'status');
  resetMetadataForStatus(pod, old);
  bumpGeneration(pod, old);
}

function bumpGeneration(pod: KubeObject, old: KubeObject): void {
  if (pod.metadata !== undefined)
    pod.metadata.generation = (old.metadata?.generation ?? 0) + (semanticEqual(old['spec'], pod['spec']) ? 0 : 1);
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
