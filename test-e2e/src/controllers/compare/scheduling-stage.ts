import type { KubeObject } from '@kubechain/apimachinery';
import type { Event, Node, Pod } from '@kubechain/apimachinery/types/core/v1';
import type { ResourceClaim } from '@kubechain/apimachinery/types/resource/v1';
import { isNotFound } from '@kubechain/apimachinery';
import { resources, type Client, type ResourceType } from '@kubechain/controllers';
import { eventually } from '../live-cluster.ts';

const patient = { withinMs: 60_000 };

/** Nodes, pods and what they need, in a namespace and with nodes that nobody else uses meanwhile. */
export class SchedulingStage {
  readonly client: Client;
  readonly namespace: string;
  readonly #made: { readonly type: ResourceType<KubeObject>; readonly name: string; readonly namespaced: boolean }[] =
    [];

  constructor(client: Client, namespace: string) {
    this.client = client;
    this.namespace = namespace;
  }

  /** A node that is ready, with 4 CPUs and 8 GiB for 10 pods. */
  async node(
    name: string,
    parts: { readonly labels?: Record<string, string>; readonly spec?: object; readonly status?: object } = {},
  ): Promise<void> {
    const labels = { 'kubernetes.io/hostname': name, ...parts.labels };
    const nodes = this.client.resource(resources.nodes);
    const made = await this.make(resources.nodes, {
      metadata: { name, labels },
      spec: { unschedulable: true },
    } as Node);
    const status = { allocatable: { cpu: '4', memory: '8Gi', pods: '10' }, ...parts.status };
    await nodes.patch({ name: made.metadata?.name ?? '' }, { status }, { subresource: 'status' });
    // Whoever makes a node is told that it is not ready; and until here nothing could be placed on it.
    await nodes.patch({ name }, { spec: { unschedulable: null, taints: null, ...parts.spec } });
  }

  /** Makes an object; it goes with the stage. */
  async make<T extends object>(type: ResourceType<T>, object: T, status?: object): Promise<T> {
    const { metadata } = object as KubeObject;
    const name = metadata?.name ?? '';
    const place = type.namespaced ? { name, namespace: this.namespace } : { name };
    const client = this.client.resource(type);
    this.#made.push({ type: type as ResourceType<KubeObject>, name, namespaced: type.namespaced });
    const made = await client.create({ ...object, metadata: { ...metadata, ...place } } as T);
    return status === undefined ? made : client.patch(place, { status }, { subresource: 'status' });
  }

  /** Makes a pod that ends at once when it is deleted; resolves when the scheduler has said something about it. */
  async pod(name: string, spec: object = {}, metadata: object = {}): Promise<Pod> {
    await this.undecided(name, spec, metadata);
    return this.until(name, ({ status }) => status?.conditions?.some(({ type }) => type === 'PodScheduled') === true);
  }

  /** The same without waiting. */
  async undecided(name: string, spec: object = {}, metadata: object = {}): Promise<void> {
    await this.make(resources.pods, {
      metadata: { name, ...metadata },
      spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'c', image: 'web:1' }], ...spec },
    } as unknown as Pod);
  }

  until(name: string, holds: (pod: Pod) => boolean): Promise<Pod> {
    return eventually(async () => {
      const pod = await this.client.resource(resources.pods).get({ name, namespace: this.namespace });
      return holds(pod) && pod;
    }, patient);
  }

  /** Waits for an event about a pod. */
  async told(name: string, reason: string): Promise<void> {
    await eventually(async () => {
      const fieldSelector = `involvedObject.name=${name},reason=${reason}`;
      const { items } = await this.client.resource(resources.events).list({ namespace: this.namespace, fieldSelector });
      return items.length > 0;
    }, patient);
  }

  claimUntil(name: string, holds: (claim: ResourceClaim) => boolean): Promise<ResourceClaim> {
    return eventually(async () => {
      const claim = await this.client.resource(resources.resourceclaims).get({ name, namespace: this.namespace });
      return holds(claim) && claim;
    }, patient);
  }

  /** Sets a condition of the first device of a claim, as its driver does. */
  async tellOfDevice(name: string, condition: object): Promise<void> {
    const claim = await this.claimUntil(name, ({ status }) => status?.allocation !== undefined);
    const { device, driver, pool } = claim.status?.allocation?.devices?.results?.[0] ?? {};
    const conditions = [{ lastTransitionTime: '2026-01-01T00:00:00Z', ...condition }];
    await this.client
      .resource(resources.resourceclaims)
      .patch(
        { name, namespace: this.namespace },
        { status: { devices: [{ driver, pool, device, conditions }] } },
        { subresource: 'status' },
      );
  }

  /** What became of the pods, and the events about them, as lines. */
  async observe(): Promise<readonly string[]> {
    const { items: pods } = await this.client.resource(resources.pods).list({ namespace: this.namespace });
    const { items: events } = await this.client.resource(resources.events).list({ namespace: this.namespace });
    const claims = await this.client.resource(resources.resourceclaims).list({ namespace: this.namespace });
    const lines = new Set([
      ...pods.flatMap((pod) => [...linesOfPod(pod)]),
      ...claims.items.map(lineOfClaim),
      ...events.map(lineOfEvent),
    ]);
    const uid = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
    return [...lines]
      .map((line) => line.replaceAll(uid, 'UID').replaceAll(`${this.namespace}/`, 'NAMESPACE/'))
      .map((line) => line.replaceAll(/-extended-resources-[a-z0-9]{5}\b/g, '-extended-resources-RANDOM'))
      .toSorted();
  }

  /** Takes away all that was made. */
  async clear(): Promise<void> {
    const claims = this.client.resource(resources.resourceclaims);
    const { items } = await claims.list({ namespace: this.namespace });
    // Claims for extended resources are made by the scheduler.
    for (const { metadata } of items)
      if (!this.#made.some(({ name }) => name === metadata?.name))
        this.#made.push({
          type: resources.resourceclaims as ResourceType<KubeObject>,
          name: metadata?.name ?? '',
          namespaced: true,
        });
    for (const { name, namespaced, type } of this.#made.toReversed()) {
      const place = namespaced ? { name, namespace: this.namespace } : { name };
      const client = this.client.resource(type);
      try {
        await client.patch(place, { metadata: { finalizers: null } });
        await client.delete(place, { gracePeriodSeconds: 0 });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
  }
}

function* linesOfPod({ metadata, spec, status }: Pod): Generator<string> {
  const name = `pod ${metadata?.name ?? ''}`;
  yield `${name} node: ${spec?.nodeName ?? ''}`;
  if ((status?.nominatedNodeName ?? '') !== '') yield `${name} nominated: ${status?.nominatedNodeName ?? ''}`;
  if (status?.extendedResourceClaimStatus !== undefined)
    yield `${name} extended resources: ${JSON.stringify(status.extendedResourceClaimStatus)}`;
  for (const { message = '', reason = '', status: is, type } of status?.conditions ?? [])
    yield `${name} ${type}: ${is} ${reason} ${message}`.trimEnd();
  if (metadata?.deletionTimestamp !== undefined) yield `${name} is being deleted`;
}

function lineOfClaim({ metadata, status }: ResourceClaim): string {
  const { allocationTimestamp, ...allocation } = status?.allocation ?? {};
  const when = allocationTimestamp === undefined ? '' : ' at a time';
  const users = (status?.reservedFor ?? []).map(({ name }) => name).toSorted();
  const finalizers = metadata?.finalizers?.join() ?? '';
  return `claim ${metadata?.name ?? ''} [${finalizers}] for ${users.join()}: ${JSON.stringify(allocation)}${when}`;
}

function lineOfEvent({ involvedObject, message = '', reason = '', type = '', ...event }: Event): string {
  const { action = '', related, reportingComponent = '' } = event;
  const about = related === undefined ? '' : ` (${related.kind ?? ''} ${related.name ?? ''})`;
  const who = `${reportingComponent} ${action}`.trim();
  return `event ${involvedObject.name ?? ''} ${type} ${reason} [${who}]${about}: ${message}`;
}
