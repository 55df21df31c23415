import { LabelRequirement, Quantity } from '@kubechain/apimachinery';
import type { Clock } from '@kubechain/apimachinery';
import { one } from './quota-evaluator.ts';
import type { Amounts } from './amounts.ts';
import type { QuotaEvaluator, ScopeRequirement } from './quota-evaluator.ts';
import type { Container, Pod, PodAffinityTerm } from '@kubechain/apimachinery/types/core/v1';
import { aggregateContainerResources } from '../resource/aggregate-resources.ts';
import { qualityOfService } from '../resource/quality-of-service.ts';

const counted: ReadonlySet<string> = new Set([
  'count/pods',
  'pods',
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
]);
/** Containers must say these where a quota limits them. */
const mustBeSaid: ReadonlySet<string> = new Set([
  'cpu',
  'memory',
  'requests.cpu',
  'requests.memory',
  'limits.cpu',
  'limits.memory',
]);
const podLevel: readonly string[] = ['cpu', 'memory'];
const basic: readonly string[] = ['cpu', 'memory', 'ephemeral-storage'];
const hugePages = 'hugepages-';
const requestsPrefix = 'requests.';
/** What devices of a class are called as an extended resource that has no name of its own. */
const deviceClassPrefix = 'deviceclass.resource.kubernetes.io/';

/** Pods: their number, and the resources of those that have not ended (pkg/quota/v1/evaluator/core/pods.go, 1.36). */
export function podEvaluator(clock: Clock): QuotaEvaluator {
  return {
    handles({ object, oldObject, operation, subresource }) {
      if (subresource === 'resize') return operation === 'UPDATE';
      if (subresource !== '') return false;
      return operation === 'CREATE' || isTerminating(object as Pod) !== isTerminating(oldObject as Pod);
    },
    matchingResources: (names) =>
      names.filter(
        (name) =>
          counted.has(name) ||
          name.startsWith(hugePages) ||
          name.startsWith(`${requestsPrefix}${hugePages}`) ||
          isExtendedRequest(name),
      ),
    matchesScope: (scope, object) => matchesScope(scope, object as Pod),
    constraint: (required, object) => constraint(required, object as Pod),
    usage: (object) => usage(object as Pod, clock),
  };
}

function usage(pod: Pod, clock: Clock): Amounts {
  const result = new Map([['count/pods', one]]);
  if (pod.spec === undefined || hasEnded(pod, clock)) return result;
  for (const [name, quantity] of computeUsage(podAmounts(pod, 'requests'), podAmounts(pod, 'limits')))
    result.set(name, quantity);
  return result;
}

function podAmounts({ spec }: Pod, kind: 'requests' | 'limits'): Map<string, Quantity> {
  if (spec === undefined) return new Map();
  const totals = aggregateContainerResources(spec, kind);
  for (const [name, text] of Object.entries(spec.resources?.[kind] ?? {}))
    if (podLevel.includes(name) || name.startsWith(hugePages)) totals.set(name, Quantity.parse(text));
  for (const [name, text] of Object.entries(spec.overhead ?? {})) {
    const total = totals.get(name);
    // Overhead does not limit what has no limit.
    if (total !== undefined || kind === 'requests')
      totals.set(name, total?.add(Quantity.parse(text)) ?? Quantity.parse(text));
  }
  return totals;
}

/** Amounts under the names that quotas give them. */
function computeUsage(requests: Amounts, limits: Amounts): Map<string, Quantity> {
  const result = new Map([['pods', one]]);
  for (const name of basic) {
    const request = requests.get(name);
    const limit = limits.get(name);
    if (request !== undefined) result.set(name, request).set(`${requestsPrefix}${name}`, request);
    if (limit !== undefined) result.set(`limits.${name}`, limit);
  }
  for (const [name, request] of requests) {
    if (name.startsWith(hugePages)) result.set(name, request).set(`${requestsPrefix}${name}`, request);
    else if (!isNative(name) || name.startsWith(deviceClassPrefix)) result.set(`${requestsPrefix}${name}`, request);
  }
  return result;
}

function constraint(required: readonly string[], { spec }: Pod): string | undefined {
  if (spec?.resources !== undefined && Object.keys({ ...spec.resources.requests, ...spec.resources.limits }).length > 0)
    return undefined;
  const missing = new Map<string, Set<string>>();
  const names = required.filter((name) => mustBeSaid.has(name));
  for (const container of [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])]) {
    const said = computeUsage(amountsOf(container, 'requests'), amountsOf(container, 'limits'));
    for (const name of names) {
      if (said.has(name)) continue;
      const containers = missing.get(name) ?? new Set();
      missing.set(name, containers.add(container.name));
    }
  }
  if (missing.size === 0) return undefined;
  return `must specify ${[...missing]
    .sort(([a], [b]) => byText(a, b))
    .map(([name, containers]) => `${name} for: ${[...containers].sort(byText).join(',')}`)
    .join('; ')}`;
}

function amountsOf(container: Container, kind: 'requests' | 'limits'): Amounts {
  return new Map(Object.entries(container.resources?.[kind] ?? {}).map(([name, text]) => [name, Quantity.parse(text)]));
}

function matchesScope({ operator, scopeName, values }: ScopeRequirement, pod: Pod): boolean {
  switch (scopeName) {
    case 'Terminating':
      return isTerminating(pod);
    case 'NotTerminating':
      return !isTerminating(pod);
    case 'BestEffort':
      return qualityOfService(pod) === 'BestEffort';
    case 'NotBestEffort':
      return qualityOfService(pod) !== 'BestEffort';
    case 'PriorityClass':
      return scopeSelects('PriorityClass', { operator, values, actual: pod.spec?.priorityClassName });
    case 'CrossNamespacePodAffinity':
      return usesOtherNamespaces(pod);
    default:
      return false;
  }
}

const selectorOperators: Readonly<Record<string, 'in' | 'notin' | 'exists' | '!'>> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
};

/** Whether a scope's requirement holds of the value that an object has in it. */
export function scopeSelects(
  scope: string,
  {
    actual = '',
    operator,
    values = [],
  }: { readonly operator: string; readonly values: readonly string[] | undefined; readonly actual: string | undefined },
): boolean {
  const known = selectorOperators[operator];
  return (
    known !== undefined &&
    LabelRequirement.create(scope, known, [...values]).matches(actual === '' ? {} : { [scope]: actual })
  );
}

function isTerminating({ spec }: Pod): boolean {
  return (spec?.activeDeadlineSeconds ?? -1) >= 0;
}

/** Ended, or overdue to be gone: a lost node must not keep others from starting. */
function hasEnded({ metadata, status }: Pod, clock: Clock): boolean {
  if (status?.phase === 'Failed' || status?.phase === 'Succeeded') return true;
  const { deletionGracePeriodSeconds, deletionTimestamp } = metadata ?? {};
  return (
    deletionTimestamp !== undefined &&
    deletionGracePeriodSeconds !== undefined &&
    clock.now() > Date.parse(deletionTimestamp) + deletionGracePeriodSeconds * 1000
  );
}

function usesOtherNamespaces({ spec }: Pod): boolean {
  const { podAffinity, podAntiAffinity } = spec?.affinity ?? {};
  return [podAffinity, podAntiAffinity].some((affinity) =>
    [
      ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
      ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
        ({ podAffinityTerm }) => podAffinityTerm,
      ),
    ].some((term: PodAffinityTerm) => (term.namespaces ?? []).length > 0 || term.namespaceSelector !== undefined),
  );
}

/** Kubernetes' own resources have no domain, or one of its own. */
function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}
function isExtendedRequest(name: string): boolean {
  return (
    name.startsWith(requestsPrefix) && (!isNative(name) || name.startsWith(`${requestsPrefix}${deviceClassPrefix}`))
  );
}
function byText(a: string, b: string): number {
  return a < b ? -1 : 1;
}
