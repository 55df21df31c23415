import { append, FieldPath, forbiddenValue, invalidValue, mirrorPodAnnotation } from '@kubechain/apimachinery';
import type { FieldError, KubeObject } from '@kubechain/apimachinery';
import type { Container, Pod, ResourceRequirements } from '@kubechain/apimachinery/types/core/v1';
import type { Capabilities } from '../../../capabilities.ts';
import { semanticEqual } from '../../../semantic-equal.ts';
import { qualityOfService } from '@kubechain/component-helpers';
import { validatePodAlways } from './pod.ts';

const specPath = FieldPath.of('spec');
type ResourceList = Record<string, string>;
const lists = ['containers', 'initContainers'] as const;
const resizable = ['cpu', 'memory'];

/**
 * Rules of the resize endpoint: cpu and memory change, and with them not the quality of service (ValidatePodResize of
 * pkg/apis/core/validation, 1.36).
 */
export function validatePodResize(pod: Pod, old: Pod, capabilities: Capabilities): FieldError[] {
  if (old.metadata?.annotations?.[mirrorPodAnnotation] !== undefined)
    return [forbiddenValue(FieldPath.of(''), 'static pods cannot be resized')];
  if (old.spec?.os?.name === 'windows') return [forbiddenValue(FieldPath.of(''), 'windows pods cannot be resized')];
  const errors = validatePodAlways(pod, capabilities);
  const quality = old.status?.qosClass ?? qualityOfService(old as KubeObject);
  if (quality !== qualityOfService(pod as KubeObject))
    errors.push(
      invalidValue(specPath, pod.status?.qosClass ?? '', 'Pod QOS Class may not change as a result of resizing'),
    );
  if (!nodeSupportsResize(old)) errors.push(forbiddenValue(specPath, 'Pod running on node without support for resize'));
  if (hasOwnResources(pod) || hasOwnResources(old))
    append(errors, validatePodLevel(pod.spec?.resources, old.spec?.resources));
  if ((old.status?.nodeAllocatableResourceClaimStatuses?.length ?? 0) > 0)
    errors.push(forbiddenValue(specPath, 'pods with node allocatable resource claims cannot be resized'));
  const order = lists.flatMap((list) => validateOrder(pod.spec?.[list] ?? [], old.spec?.[list] ?? [], list));
  if (order.length > 0) return [...errors, ...order];

  for (const list of [...lists].reverse()) {
    (old.spec?.[list] ?? []).forEach((before, i) => {
      append(
        errors,
        validateRemoved(
          pod.spec?.[list]?.[i]?.resources ?? {},
          before.resources ?? {},
          specPath.child(list).index(i).child('resources'),
        ),
      );
    });
  }
  const changed = (list: (typeof lists)[number], i: number): boolean =>
    !semanticEqual(
      withoutResizable(pod.spec?.[list]?.[i] as Container, old.spec?.[list]?.[i] as Container),
      old.spec?.[list]?.[i],
    );
  (pod.spec?.containers ?? []).forEach((_container, i) => {
    if (changed('containers', i)) errors.push(forbiddenValue(specPath, 'only cpu and memory resources are mutable'));
  });
  (pod.spec?.initContainers ?? []).forEach((container, i) => {
    const path = specPath.child('initContainers').index(i);
    if (changed('initContainers', i))
      errors.push(forbiddenValue(path, 'only cpu and memory resources for init or sidecar containers are mutable'));
    if (container.restartPolicy === 'Always' || semanticEqual(container, old.spec?.initContainers?.[i])) return;
    if (!capabilities.enabled('InPlacePodVerticalScalingInitContainers')) {
      errors.push(forbiddenValue(specPath, 'resources for non-sidecar init containers are immutable'));
      return;
    }
    for (const policy of container.resizePolicy ?? [])
      if (policy.restartPolicy === 'RestartContainer')
        errors.push(
          forbiddenValue(
            path,
            'non-sidecar init containers with a resize policy of RestartContainer cannot be resized',
          ),
        );
  });
  // Resources of the pod that say nothing may not come or go either.
  const hollow =
    !hasOwnResources(pod) &&
    !hasOwnResources(old) &&
    (pod.spec?.resources === undefined) !== (old.spec?.resources === undefined);
  return errors.length === 0 && hollow
    ? [forbiddenValue(specPath, 'only cpu and memory resources are mutable')]
    : errors;
}

/** A node that knows of resizing says what its running containers have. */
function nodeSupportsResize({ status }: Pod): boolean {
  const running = (status?.containerStatuses ?? []).find(({ state }) => state?.running !== undefined);
  return running === undefined || running.resources !== undefined;
}

function hasOwnResources({ spec }: Pod): boolean {
  return Object.keys(spec?.resources?.requests ?? {}).length + Object.keys(spec?.resources?.limits ?? {}).length > 0;
}

function validatePodLevel(
  now: ResourceRequirements | undefined,
  before: ResourceRequirements | undefined,
): FieldError[] {
  const path = specPath.child('resources');
  if (before !== undefined && now === undefined) return [forbiddenValue(path, 'pod-level resources cannot be removed')];
  const errors: FieldError[] = [];
  if (before !== undefined && removes(now?.requests, before.requests))
    errors.push(forbiddenValue(path.child('requests'), 'pod-level resource requests cannot be removed'));
  if (before !== undefined && removes(now?.limits, before.limits))
    errors.push(forbiddenValue(path.child('limits'), 'pod-level resource limits cannot be removed'));
  if (!semanticEqual(keepResizable(now, before), before))
    errors.push(forbiddenValue(specPath, 'only cpu and memory resources are mutable at pod-level'));
  return errors;
}

function validateOrder(
  now: readonly Container[],
  before: readonly Container[],
  list: (typeof lists)[number],
): FieldError[] {
  const path = specPath.child(list);
  if (now.length !== before.length) return [forbiddenValue(path, `${list} may not be added or removed on resize`)];
  return before.flatMap(({ name }, i) =>
    now[i]?.name === name
      ? []
      : [forbiddenValue(path.index(i).child('name'), `${list} may not be renamed or reordered on resize`)],
  );
}

function validateRemoved(now: ResourceRequirements, before: ResourceRequirements, path: FieldPath): FieldError[] {
  return (['requests', 'limits'] as const).flatMap((kind) =>
    removes(now[kind], before[kind]) ? [forbiddenValue(path.child(kind), `resource ${kind} cannot be removed`)] : [],
  );
}

function removes(now: ResourceList = {}, before: ResourceList = {}): boolean {
  return Object.keys(before).some((name) => now[name] === undefined);
}

/** The container with the old cpu and memory; claims are not looked at. */
function withoutResizable(container: Container, before: Container): Container {
  const { requests, limits } = keepResizable(container.resources ?? {}, before.resources) ?? {};
  return {
    ...container,
    resources: { ...(requests === undefined ? {} : { requests }), ...(limits === undefined ? {} : { limits }) },
  };
}

function keepResizable(
  now: ResourceRequirements | undefined,
  before: ResourceRequirements | undefined,
): ResourceRequirements | undefined {
  if (now === undefined) return undefined;
  const keep = (list: ResourceList = {}, old: ResourceList = {}): ResourceList => ({
    ...Object.fromEntries(Object.entries(list).filter(([name]) => !resizable.includes(name))),
    ...Object.fromEntries(Object.entries(old).filter(([name]) => resizable.includes(name))),
  });
  return { ...now, requests: keep(now.requests, before?.requests), limits: keep(now.limits, before?.limits) };
}
