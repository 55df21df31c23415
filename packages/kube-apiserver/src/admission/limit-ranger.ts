import { Quantity } from '@kubechain/apimachinery';
import { admissionForbidden } from '@kubechain/apiserver/resources';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '@kubechain/apiserver/resources';
import type {
  Container,
  LimitRange,
  LimitRangeItem,
  PersistentVolumeClaim,
  Pod,
} from '@kubechain/apimachinery/types/core/v1';
import { aggregateContainerResources } from '@kubechain/component-helpers';
import type { ResourceList } from '../registry/core/resource-list.ts';
import { checkRange, type Amounts } from './limits.ts';
import { defaultPodLevelResources } from '../registry/core/pod/defaults.ts';
import type { ObjectLookup } from './object-lookup.ts';

/** A range may have thousands of items, each broken by each of thousands of containers in its own words. */
const MOST_TOLD = 10_000;
const annotation = 'kubernetes.io/limit-ranger';
const podLevelResources: readonly string[] = ['cpu', 'memory'];

/**
 * Gives containers the defaults of their namespace's limit ranges, and keeps pods and claims within them
 * (plugin/pkg/admission/limitranger, 1.36).
 */
export class LimitRanger implements AdmissionPlugin {
  readonly name = 'LimitRanger';
  readonly #ranges: ObjectLookup;

  constructor(ranges: ObjectLookup) {
    this.#ranges = ranges;
  }

  handles(operation: AdmissionOperation): boolean {
    return operation === 'CREATE' || operation === 'UPDATE';
  }

  async admit(attributes: AdmissionAttributes): Promise<void> {
    if (!supports(attributes) || attributes.resource.resource !== 'pods') return;
    const pod = attributes.object as Pod;
    let added = 0;
    const adding = (values: number): void => {
      added += values;
      attributes.objects.beginWith(added);
    };
    for (const range of await this.#of(attributes)) {
      await attributes.objects.rest();
      setDefaults(pod, range, adding);
    }
    // What the pod asks for as a whole follows from what its containers ask for.
    if (pod.spec?.resources !== undefined) defaultPodLevelResources(pod.spec);
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    if (!supports(attributes)) return;
    for (const range of await this.#of(attributes)) {
      const limits = range.spec?.limits ?? [];
      const problems =
        attributes.resource.resource === 'pods'
          ? podProblems(attributes.object as Pod, limits)
          : claimProblems(attributes.object as PersistentVolumeClaim, limits);
      const told = [...(await firstOf(problems, attributes))];
      if (told.length > 0)
        throw admissionForbidden(attributes, told.length === 1 ? (told[0] ?? '') : `[${told.join(', ')}]`);
    }
  }

  async #of({ namespace }: AdmissionAttributes): Promise<readonly LimitRange[]> {
    return (await this.#ranges.list(namespace)) as readonly LimitRange[];
  }
}

/** Containers of a pod change through `resize` alone. What is on its way out is left alone. */
function supports({ kind, oldObject, operation, subresource }: AdmissionAttributes): boolean {
  if (oldObject?.metadata?.deletionTimestamp !== undefined) return false;
  if (kind.group !== '') return false;
  if (kind.kind === 'Pod') return operation === 'CREATE' ? subresource === '' : subresource === 'resize';
  return kind.kind === 'PersistentVolumeClaim' && subresource === '';
}

/** Each problem once, so many at the most; others are served meanwhile. */
async function firstOf(
  problems: Iterable<readonly string[]>,
  { objects }: AdmissionAttributes,
): Promise<ReadonlySet<string>> {
  const told = new Set<string>();
  for (const some of problems) {
    for (const problem of some) told.add(problem);
    if (told.size >= MOST_TOLD) break;
    await objects.rest();
  }
  return told;
}

/** @param adding told of values that a container gets, before it gets them */
function setDefaults(pod: Pod, range: LimitRange, adding: (values: number) => void): void {
  const limits: ResourceList = {};
  const requests: ResourceList = {};
  for (const item of range.spec?.limits ?? []) {
    if (item.type !== 'Container') continue;
    Object.assign(requests, item.defaultRequest);
    Object.assign(limits, item.default);
  }
  const told = [
    ...(pod.spec?.containers ?? []).flatMap((container) =>
      setContainerDefaults(container, 'container', { limits, requests, adding }),
    ),
    ...(pod.spec?.initContainers ?? []).flatMap((container) =>
      setContainerDefaults(container, 'init container', { limits, requests, adding }),
    ),
  ];
  if (told.length > 0)
    ((pod.metadata ??= {}).annotations ??= {})[annotation] = `LimitRanger plugin set: ${told.join('; ')}`;
}

/** Fills in what the container does not say; tells what was filled in. */
function setContainerDefaults(
  container: Container,
  what: string,
  {
    adding,
    ...defaults
  }: {
    readonly limits: ResourceList;
    readonly requests: ResourceList;
    readonly adding: (values: number) => void;
  },
): string[] {
  const told: string[] = [];
  for (const kind of ['requests', 'limits'] as const) {
    const missing = Object.keys(defaults[kind])
      .filter((name) => container.resources?.[kind]?.[name] === undefined)
      .sort((a, b) => (a < b ? -1 : 1));
    if (missing.length === 0) continue;
    adding(missing.length);
    const amounts = ((container.resources ??= {})[kind] ??= {});
    for (const name of missing) amounts[name] = defaults[kind][name] ?? '';
    told.push(`${missing.join(', ')} ${kind === 'requests' ? 'request' : 'limit'} for ${what} ${container.name}`);
  }
  return told;
}

/** What is wrong with each container, or the pod, by each item. */
function* podProblems({ spec }: Pod, limits: readonly LimitRangeItem[]): Generator<readonly string[]> {
  if (spec === undefined) return;
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ resources }) => ({
    requests: amountsOf(resources?.requests),
    limits: amountsOf(resources?.limits),
  }));
  for (const item of limits) {
    if (item.type === 'Container')
      for (const { limits: most, requests } of containers) yield checkRange(item, requests, most);
    else if (item.type === 'Pod') yield checkRange(item, podAmounts(spec, 'requests'), podAmounts(spec, 'limits'));
  }
}

function podAmounts(spec: NonNullable<Pod['spec']>, kind: 'requests' | 'limits'): Amounts {
  const totals = aggregateContainerResources(spec, kind);
  for (const [name, text] of Object.entries(spec.resources?.[kind] ?? {}))
    if (podLevelResources.includes(name)) totals.set(name, Quantity.parse(text));
  return totals;
}

/** Only requests of claims count, and they need none for a maximum's sake. */
function* claimProblems(
  { spec }: PersistentVolumeClaim,
  limits: readonly LimitRangeItem[],
): Generator<readonly string[]> {
  const requests = amountsOf(spec?.resources?.requests);
  for (const item of limits) if (item.type === 'PersistentVolumeClaim') yield checkRange(item, requests, undefined);
}

function amountsOf(list: ResourceList | undefined): Amounts {
  return new Map(Object.entries(list ?? {}).map(([name, text]) => [name, Quantity.parse(text)]));
}
