import {
  append,
  FieldPath,
  duplicate,
  forbiddenValue,
  internalFieldError,
  invalidValue,
  isDNS1123Subdomain,
  isQualifiedName,
  parseIPAddress,
  validateLegacyIP,
} from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { Container, ContainerStatus, Pod, PodCondition } from '@kubechain/apimachinery/types/core/v1';
import { immutable } from '../../../validation/immutable.ts';
import { internalForm } from '../../../validation/internal-form.ts';
import { format, present } from '../../../validation/rules.ts';
import { validateAnnotationChanges } from './annotations.ts';
import { validateExtendedClaim, validateNodeClaims } from './claim-statuses.ts';
import { validateContainerStatuses } from './container-statuses.ts';

const statusPath = FieldPath.of('status');
const systemConditions = new Set(['PodScheduled', 'Ready', 'Initialized']);
const negative = 'must be a non-negative integer';

/**
 * Rules of the status endpoint: what has ended stays so, addresses are addresses (ValidatePodStatusUpdate of
 * pkg/apis/core/validation, 1.36).
 */
export function validatePodStatus(pod: Pod, old: Pod): FieldError[] {
  const { conditions = [], nominatedNodeName = '', observedGeneration = 0, qosClass = '' } = pod.status ?? {};
  const errors = [...validateAnnotationChanges(pod, old), ...validateConditions(conditions)];
  const nominatedPath = statusPath.child('nominatedNodeName');
  if (nominatedNodeName !== '' && nominatedNodeName !== (old.status?.nominatedNodeName ?? '')) {
    append(errors, format(isDNS1123Subdomain)(nominatedNodeName, nominatedPath));
    if (old.spec?.nodeName)
      errors.push(forbiddenValue(nominatedPath, 'may not be set on pods that are already bound to a node'));
  }
  if (observedGeneration < 0)
    errors.push(invalidValue(statusPath.child('observedGeneration'), observedGeneration, negative));
  return [
    ...errors,
    ...immutable(statusPath.child('qosClass'), qosClass, old.status?.qosClass ?? ''),
    ...validateTransitions(pod, old),
    ...validateClaims(pod),
    ...validateExtendedClaim(pod),
    ...validateNodeClaims(pod),
    ...validatePodIPs(pod, old),
    ...validateHostIPs(pod, old),
    ...validateContainerStatuses(pod),
  ];
}

function validateConditions(conditions: readonly PodCondition[]): FieldError[] {
  return conditions.flatMap(({ observedGeneration = 0, type }, i) => {
    const path = statusPath.child('conditions').index(i);
    return [
      ...(observedGeneration < 0 ? [invalidValue(path.child('observedGeneration'), observedGeneration, negative)] : []),
      ...(systemConditions.has(type) ? [] : format(isQualifiedName)(type, path.child('Type'))),
    ];
  });
}

/** Containers that have ended run again only if their restart policy says so. */
function validateTransitions(pod: Pod, old: Pod): FieldError[] {
  const { containers = [], initContainers = [] } = old.spec ?? {};
  const all = [...containers, ...initContainers];
  const anyMayRestart = all.some(({ restartPolicyRules = [] }) =>
    restartPolicyRules.some(({ action }) => action === 'RestartAllContainers'),
  );
  const restarts = (among: readonly Container[]): ((name: string, exitCode: number) => boolean) => {
    const named = Map.groupBy(among, ({ name }) => name);
    return (name, exitCode) =>
      (named.get(name) ?? []).some((container) => shouldRestart(container, old.spec?.restartPolicy ?? '', exitCode));
  };
  return [
    ...(anyMayRestart
      ? []
      : transitions(pod.status?.containerStatuses, old.status?.containerStatuses, {
          path: statusPath.child('containerStatuses'),
          allowed: restarts(containers),
        })),
    ...(anyMayRestart
      ? []
      : transitions(pod.status?.initContainerStatuses, old.status?.initContainerStatuses, {
          path: statusPath.child('initContainerStatuses'),
          allowed: restarts(initContainers),
        })),
    ...transitions(pod.status?.ephemeralContainerStatuses, old.status?.ephemeralContainerStatuses, {
      path: statusPath.child('ephemeralContainerStatuses'),
      allowed: () => false,
    }),
  ];
}

function transitions(
  now: readonly ContainerStatus[] = [],
  before: readonly ContainerStatus[] = [],
  { allowed, path }: { readonly path: FieldPath; readonly allowed: (name: string, exitCode: number) => boolean },
): FieldError[] {
  // The first of each name counts, which comes last here.
  const known = new Map(now.toReversed().map((status) => [status.name, status]));
  return before.flatMap((old, i) => {
    const ended = old.state?.terminated;
    const same = known.get(old.name);
    if (
      ended === undefined ||
      same === undefined ||
      same.state?.terminated !== undefined ||
      allowed(old.name, ended.exitCode ?? 0)
    )
      return [];
    return [forbiddenValue(path.index(i).child('state'), 'may not be transitioned to non-terminated state')];
  });
}

/** Rules of the container first, then its policy, then the pod's (podutil.ContainerShouldRestart). */
function shouldRestart(
  { restartPolicy, restartPolicyRules = [] }: Container,
  podPolicy: string,
  exitCode: number,
): boolean {
  for (const { action, exitCodes } of restartPolicyRules) {
    if (exitCodes === undefined) continue;
    const listed = (exitCodes.values ?? []).includes(exitCode);
    if (exitCodes.operator === 'In' ? listed : exitCodes.operator === 'NotIn' && !listed) return action === 'Restart';
  }
  const policy: string = restartPolicy ?? podPolicy;
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

/** Claims of the pod, each once. */
function validateClaims({ spec, status }: Pod): FieldError[] {
  const known = new Set((spec?.resourceClaims ?? []).map(({ name }) => name));
  const seen = new Set<string>();
  return (status?.resourceClaimStatuses ?? []).flatMap(({ name, resourceClaimName }, i) => {
    const path = statusPath.child('resourceClaimStatuses').index(i);
    const errors = known.has(name)
      ? []
      : [invalidValue(path.child('name'), name, 'must match the name of an entry in `spec.resourceClaims`')];
    if (seen.has(name)) errors.push(duplicate(path.child('name'), name));
    seen.add(name);
    return [...errors, ...present(format(isDNS1123Subdomain))(resourceClaimName, path.child('resourceClaimName'))];
  });
}

function validatePodIPs(pod: Pod, old: Pod): FieldError[] {
  const path = statusPath.child('podIPs');
  const ips = (pod.status?.podIPs ?? []).map(({ ip }) => ip ?? '');
  const before = new Set((old.status?.podIPs ?? []).map(({ ip }) => ip ?? ''));
  const errors = ips.flatMap((ip, i) => validateLegacyIP(path.index(i), ip, { old: before }));
  return [...errors, ...onePerFamily(ips, path, internalForms('core.PodIP', pod.status?.podIPs))];
}

function validateHostIPs(pod: Pod, old: Pod): FieldError[] {
  const path = statusPath.child('hostIPs');
  const ips = (pod.status?.hostIPs ?? []).map(({ ip }) => ip ?? '');
  const [first] = ips;
  if (first === undefined) return [];
  const errors =
    (pod.status?.hostIP ?? '') === first
      ? []
      : [invalidValue(path.index(0).child('ip'), first, 'must be equal to `hostIP`')];
  const before = new Set((old.status?.hostIPs ?? []).map(({ ip }) => ip ?? ''));
  append(
    errors,
    ips.flatMap((ip, i) => validateLegacyIP(path.index(i), ip, { old: before })),
  );
  return [...errors, ...onePerFamily(ips, path, internalForms('core.HostIP', pod.status?.hostIPs))];
}

function internalForms(type: 'core.PodIP' | 'core.HostIP', list: readonly unknown[] = []): unknown {
  return list.map((item) => internalForm(type, item));
}

function onePerFamily(ips: readonly string[], path: FieldPath, value: unknown): FieldError[] {
  if (ips.length < 2) return [];
  const families = ips.map((ip) => parseIPAddress(ip)?.family);
  const broken = families.indexOf(undefined);
  const pair = broken < 0 && ips.length === 2 && families[0] !== families[1];
  return [
    ...(broken < 0
      ? []
      : [
          internalFieldError(
            path,
            `failed to check for dual stack with error:invalid IP[${String(broken)}]: ${ips[broken] ?? ''}`,
          ),
        ]),
    ...(pair ? [] : [invalidValue(path, value, 'may specify no more than one IP for each IP family')]),
  ];
}
