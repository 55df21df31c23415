import type { KubeObject } from '@kubechain/apimachinery';
import type { Event } from '@kubechain/apimachinery/types/core/v1';
import { resources, type Client, type ResourceType } from '@kubechain/controllers';

/** What controllers of workloads make and write about. */
export const workloadKinds: readonly ResourceType<unknown>[] = [
  resources.deployments,
  resources.replicasets,
  resources.replicationcontrollers,
  resources.statefulsets,
  resources.daemonsets,
  resources.controllerrevisions,
  resources.jobs,
  resources.cronjobs,
  resources.poddisruptionbudgets,
  resources.horizontalpodautoscalers,
  resources.persistentvolumeclaims,
  resources.resourceclaims,
  resources.pods,
] as readonly ResourceType<unknown>[];

/** What the others do; objects of no namespace have the one of their scenario behind `--` in their names. */
export const lifecycleKinds: readonly ResourceType<unknown>[] = [
  resources.namespaces,
  resources.configmaps,
  resources.secrets,
  resources.serviceaccounts,
  resources.endpoints,
  resources.endpointslices,
  resources.resourcequotas,
  resources.certificatesigningrequests,
  resources.clusterroles,
  resources.servicecidrs,
  resources.volumeattributesclasses,
  resources.persistentvolumes,
  resources.persistentvolumeclaims,
  resources.poddisruptionbudgets,
  resources.validatingadmissionpolicies,
  resources.pods,
] as readonly ResourceType<unknown>[];

/** What autoscalers write about. */
export const autoscalingKinds: readonly ResourceType<unknown>[] = [
  resources.horizontalpodautoscalers,
] as readonly ResourceType<unknown>[];

/** What is said of volumes and devices that pods have. */
export const attachingKinds: readonly ResourceType<unknown>[] = [
  resources.configmaps,
  resources.pods,
] as readonly ResourceType<unknown>[];

/** Set by whoever stores an object, and different each time. */
const ofTheServer = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'managedFields', 'selfLink']);

/**
 * What is in a namespace, as lines that can be compared: a member of an object each, without what is random, and the
 * events. Lines that are there several times are counted.
 */
export async function observe(
  client: Client,
  namespace: string,
  kinds: readonly ResourceType<unknown>[],
): Promise<ReadonlyMap<string, number>> {
  const lines = new Map<string, number>();
  const add = (line: string): void => void lines.set(line, (lines.get(line) ?? 0) + 1);
  for (const type of kinds) {
    const { items: all } = await client
      .resource(type as ResourceType<KubeObject>)
      .list(type.namespaced ? { namespace } : {});
    const items = type.namespaced ? all : all.filter((item) => nameOf(item).endsWith(`--${namespace}`));
    const name = (item: KubeObject): string => (hasKnownHash(item) ? nameOf(item) : plain(nameOf(item)));
    for (const item of items) for (const line of linesOf(item, '')) add(`${type.kind} ${name(item)} ${line}`);
  }
  const { items } = await client.resource(resources.events).list({ namespace });
  for (const event of items)
    if (isOfController(event) && !isConflict(event)) {
      const line = plain(describe(event));
      // Autoscalers name one of several pods, or several of themselves in any order.
      if (event.involvedObject.kind === 'HorizontalPodAutoscaler') lines.set(line, 1);
      else add(line);
    }
  return lines;
}

/** Without hashes, random ends, times, addresses, uids and the namespaces that scenarios are played in. */
export function plain(text: string): string {
  return (
    text
      .replace(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'UID')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, 'TIME')
      .replace(/\bs\d+(?=\/)|(?<=--| on )s\d+\b/g, 'NAMESPACE')
      // The reference has them in the order of a map.
      .replace(/(?<=controlled by multiple HPAs: \[)[^\]]*/, (keys) => keys.split(' ').toSorted().join(' '))
      .replace(/-----BEGIN.*-----END[^"]*/g, 'PEM')
      .replace(/"[A-Za-z0-9+/]{80,}=*"/g, '"BASE64"')
      .replace(/\b\d{8}(?=\b)/g, 'MINUTE')
      .replace(/\b(?:\d{1,3}\.){3}\d{1,3}\b/g, 'IP')
      .replace(/\bnode-\d+\b/g, 'NODE')
      .replace(/-[bcdfghjklmnpqrstvwxz2-9]{7,10}(?=-|\b)/g, '-HASH')
      .replace(/-[bcdfghjklmnpqrstvwxz2-9]{5}(?=_|\b)/g, '-RANDOM')
      .replace(/^(.*(?:hash|revision-hash).*) = .*$/, '$1 = HASH')
  );
}

/** Schedulers and nodes are the same on both sides. */
function isOfController({ source, reportingComponent }: Event): boolean {
  const component = source?.component ?? reportingComponent ?? '';
  return component !== 'default-scheduler' && component !== 'kubelet';
}

/** Two wrote at once, and one of them again. */
function isConflict({ message = '' }: Event): boolean {
  return message.includes('Operation cannot be fulfilled');
}

/** Names that are made of a hash of the template, which is the same for all who make them. */
function hasKnownHash({ kind, metadata }: KubeObject): boolean {
  return (
    kind === 'ReplicaSet' ||
    kind === 'ControllerRevision' ||
    metadata?.ownerReferences?.some(({ kind: owner }) => owner === 'StatefulSet') === true
  );
}

/** How often depends on timing. */
function describe({ involvedObject, message = '', reason = '', source, type = '' }: Event): string {
  const about = `${involvedObject.kind ?? ''} ${involvedObject.name ?? ''}`;
  return `Event ${about} ${type} ${reason} (${source?.component ?? ''}): ${message}`;
}

function nameOf({ metadata }: KubeObject): string {
  return metadata?.name ?? '';
}

function* linesOf(value: unknown, path: string): Generator<string> {
  if (Array.isArray(value)) {
    if (value.length === 0) yield plain(`${path} = []`);
    for (const [i, item] of value.entries()) yield* linesOf(item, `${path}[${i}]`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value))
      if (key !== 'resourceVersion' && (!ofTheServer.has(key) || !path.endsWith('.metadata')))
        yield* linesOf(member, `${path}.${key}`);
  } else yield plain(`${path} = ${JSON.stringify(value)}`);
}
