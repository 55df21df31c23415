import { isNotFound, type OwnerReference } from '@kubechain/apimachinery';
import type { PartialObjectMetadata } from '@kubechain/apimachinery/types/meta/v1';
import { runWorkers, WorkQueue, type Sharing } from '@kubechain/shared-storage/work-queue';
import { resources } from '../client/resources.ts';
import { every } from '../clock/every.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import { ResourceMapper, UnknownKindError } from '../discovery/resource-mapper.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import { foregroundFinalizer, orphanFinalizer } from '@kubechain/apimachinery';
import { DependencyGraph } from './dependency-graph.ts';
import { identityText, type GraphNode } from './graph-node.ts';
import { GraphObjects, NamespacedOwnerError } from './graph-objects.ts';
import { Monitors } from './monitors.ts';

/** How often discovery is asked what there is to follow. */
const DISCOVERY_PERIOD_MS = 30_000;
/** A definition that has changed is in discovery after this; the reference finds it with the next period. */
const DISCOVERY_DELAY_MS = 500;
/** Dependents of one owner that lose their reference at the same time. */
const ORPHANED_AT_ONCE = 20;
/** Longest wait for the first complete graph. */
const FIRST_SYNC_MS = 30_000;

/**
 * Deletes what has lost its owners, and what is deleted with them; takes references away from what is orphaned
 * (pkg/controller/garbagecollector). Works on all resources that discovery tells, custom ones too.
 */
export class GarbageCollector implements Controller {
  readonly #context: ControllerContext;
  readonly #attemptToDelete: WorkQueue<GraphNode>;
  readonly #attemptToOrphan: WorkQueue<GraphNode>;
  readonly #graph: DependencyGraph;
  readonly #monitors: Monitors;
  readonly #mapper: ResourceMapper;
  readonly #objects: GraphObjects;
  readonly #recorder: EventRecorder;
  readonly #discovery: WorkQueue<'discover'>;

  constructor(context: ControllerContext) {
    const { clock, client, discovery } = context;
    const sharing: Sharing<GraphNode> = { ownerOf: ({ namespace }) => namespace };
    this.#context = context;
    this.#attemptToDelete = new WorkQueue<GraphNode>({
      clock,
      metrics: context.queueMetrics,
      sharing,
      name: 'garbage_collector_attempt_to_delete',
    });
    this.#attemptToOrphan = new WorkQueue<GraphNode>({
      clock,
      metrics: context.queueMetrics,
      sharing,
      name: 'garbage_collector_attempt_to_orphan',
    });
    this.#discovery = new WorkQueue<'discover'>({
      clock,
      metrics: context.queueMetrics,
      name: 'garbage_collector_discovery',
    });
    this.#recorder = context.recorder('garbage-collector-controller');
    this.#graph = new DependencyGraph({
      attemptToDelete: this.#attemptToDelete,
      attemptToOrphan: this.#attemptToOrphan,
      onInvalidNamespace: (dependent, reference) => this.#reportInvalidNamespace(dependent, reference),
    });
    this.#monitors = new Monitors(context.informers, this.#graph);
    this.#mapper = new ResourceMapper(discovery, () => clock.now());
    this.#objects = new GraphObjects(client, this.#mapper);
    const discover = (): void => this.#discovery.addAfter('discover', DISCOVERY_DELAY_MS);
    const handlers = { onAdd: discover, onUpdate: discover, onDelete: discover };
    context.informers.anyInformer(resources.customresourcedefinitions).addHandlers(handlers);
    context.informers.anyInformer(resources.apiservices).addHandlers(handlers);
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, flags, log } = this.#context;
    const onError = (error: unknown, what: GraphNode | 'discover'): void => {
      if (error instanceof UnknownKindError) return;
      log.error('error syncing item', error, { item: what === 'discover' ? what : identityText(what.identity) });
    };
    this.#discovery.add('discover');
    const following = Promise.all([
      every(DISCOVERY_PERIOD_MS, () => this.#discovery.addAfter('discover', 1), { clock, signal }),
      runWorkers({ queue: this.#discovery, workers: 1, signal, onError, sync: () => this.#follow(signal) }),
    ]);
    await this.#firstSync(signal);
    const workers = flags.concurrency['concurrent-gc-syncs'];
    await Promise.all([
      following,
      runWorkers({ queue: this.#attemptToDelete, workers, signal, onError, sync: (node) => this.#delete(node) }),
      runWorkers({ queue: this.#attemptToOrphan, workers, signal, onError, sync: (node) => this.#orphan(node) }),
    ]);
  }

  /** Without a complete graph owners look absent; they are asked for one by one then, so it is only slower. */
  async #firstSync(signal: AbortSignal): Promise<void> {
    const synced = new AbortController();
    const giveUp = this.#context.clock.setTimer(() => synced.abort(), FIRST_SYNC_MS);
    await every(100, () => (this.#monitors.hasSynced ? synced.abort() : undefined), {
      clock: this.#context.clock,
      signal: AbortSignal.any([signal, synced.signal]),
    });
    giveUp.cancel();
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { resources: found, failed } = await this.#context.discovery.preferredResources();
    if (found.length === 0) throw new Error('no resources reported by discovery');
    // A resource that cannot be listed must not keep the next look at discovery waiting.
    const late = new AbortController();
    const timer = this.#context.clock.setTimer(() => late.abort(), DISCOVERY_PERIOD_MS);
    await Promise.all([
      this.#mapper.refresh(),
      this.#monitors.follow(found, { failed, signal: AbortSignal.any([signal, late.signal]) }),
    ]);
    timer.cancel();
  }

  #reportInvalidNamespace({ identity }: GraphNode, { apiVersion, kind, name, uid }: OwnerReference): void {
    const owner = identityText({ apiVersion, kind, name, uid, namespace: identity.namespace });
    this.#recorder.eventAbout(
      {
        kind: identity.kind,
        ...(identity.namespace === '' ? {} : { namespace: identity.namespace }),
        name: identity.name,
        uid: identity.uid,
        apiVersion: identity.apiVersion,
      },
      {
        type: 'Warning',
        reason: 'OwnerRefInvalidNamespace',
        message: `ownerRef ${owner} does not exist in namespace ${JSON.stringify(identity.namespace)}`,
      },
    );
  }

  async #delete(node: GraphNode): Promise<void> {
    if (node.virtual) {
      const known = this.#graph.get(node.identity.uid);
      if (known === undefined || !known.virtual) return;
    }
    try {
      if ((await this.#attempt(node)) === 'absent') return;
    } catch (error) {
      if (error instanceof NamespacedOwnerError) return;
      throw error;
    }
    // It is there, and its informer has yet to show it: looked at again until then.
    if (node.virtual) this.#attemptToDelete.addRateLimited(node);
  }

  /** `absent`: the graph was told, and there is nothing more to do. */
  async #attempt(node: GraphNode): Promise<'absent' | 'done'> {
    if (node.beingDeleted && !node.deletingDependents) return 'done';
    const { identity } = node;
    let latest: PartialObjectMetadata;
    try {
      latest = await this.#objects.get(identity);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      this.#graph.foundAbsent(identity);
      return 'absent';
    }
    if (latest.metadata?.uid !== identity.uid) {
      this.#graph.foundAbsent(identity);
      return 'absent';
    }
    if (node.deletingDependents) {
      await this.#waitForDependents(node);
      return 'done';
    }
    const owners = latest.metadata.ownerReferences ?? [];
    if (owners.length === 0) return 'done';
    const { solid, dangling, waiting } = await this.#classify(node, owners);
    if (solid > 0) {
      const gone = [...dangling, ...waiting];
      if (gone.length > 0) await this.#objects.removeOwners(node, gone);
      return 'done';
    }
    const seen = { resourceVersion: latest.metadata.resourceVersion, owners };
    const foreground = waiting.length > 0 && node.dependents.size > 0;
    // Two that wait for each other would wait for ever.
    if (foreground && ownsWaiting(node)) await this.#objects.unblockOwners(node);
    try {
      await this.#objects.delete(identity, seen, foreground ? 'Foreground' : policyOf(latest));
    } catch (error) {
      if (!isNotFound(error)) throw error;
      this.#graph.foundAbsent(identity);
      return 'absent';
    }
    return 'done';
  }

  /** Owners that are there, uids of those that are not, and of those that wait for their dependents. */
  async #classify(
    node: GraphNode,
    owners: readonly OwnerReference[],
  ): Promise<{ readonly solid: number; readonly dangling: string[]; readonly waiting: string[] }> {
    let solid = 0;
    const dangling: string[] = [];
    const waiting: string[] = [];
    for (const reference of owners) {
      const owner = await this.#ownerOf(node, reference);
      if (owner === undefined) dangling.push(reference.uid);
      else if (
        owner.metadata?.deletionTimestamp !== undefined &&
        owner.metadata.finalizers?.includes(foregroundFinalizer) === true
      )
        waiting.push(reference.uid);
      else solid++;
    }
    return { solid, dangling, waiting };
  }

  /** Undefined when there is no such owner. */
  async #ownerOf(
    node: GraphNode,
    { apiVersion, kind, name, uid }: OwnerReference,
  ): Promise<PartialObjectMetadata | undefined> {
    const { namespace } = node.identity;
    const clusterScoped = { apiVersion, kind, name, uid, namespace: '' };
    const inNamespace = { ...clusterScoped, namespace };
    if (this.#graph.isAbsent(clusterScoped) || this.#graph.isAbsent(inNamespace)) return undefined;
    const identity = (await this.#objects.isNamespaced(apiVersion, kind)) ? inNamespace : clusterScoped;
    try {
      const owner = await this.#objects.get(identity);
      if (owner.metadata?.uid === uid) return owner;
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    this.#graph.noteAbsent(identity);
    return undefined;
  }

  async #waitForDependents(node: GraphNode): Promise<void> {
    const { blockingDependents: blocking } = node;
    if (blocking.size === 0) return this.#objects.removeFinalizer(node.identity, foregroundFinalizer);
    for (const dependent of blocking) if (!dependent.deletingDependents) this.#attemptToDelete.add(dependent);
  }

  async #orphan(owner: GraphNode): Promise<void> {
    // All at once would take the client's requests of minutes before anybody else's.
    const dependents = [...owner.dependents];
    for (let i = 0; i < dependents.length; i += ORPHANED_AT_ONCE) {
      const results = await Promise.allSettled(
        dependents
          .slice(i, i + ORPHANED_AT_ONCE)
          .map((dependent) => this.#objects.removeOwners(dependent, [owner.identity.uid])),
      );
      for (const result of results)
        if (result.status === 'rejected' && !isNotFound(result.reason)) throw result.reason as Error;
    }
    await this.#objects.removeFinalizer(owner.identity, orphanFinalizer);
  }
}

/** Whether one that it owns waits for its own dependents. */
function ownsWaiting({ dependents }: GraphNode): boolean {
  for (const { deletingDependents } of dependents) if (deletingDependents) return true;
  return false;
}

/** How an object without owners goes: as those who put finalizers on it want. */
function policyOf({ metadata }: PartialObjectMetadata): 'Orphan' | 'Foreground' | 'Background' {
  if (metadata?.finalizers?.includes(orphanFinalizer) === true) return 'Orphan';
  return metadata?.finalizers?.includes(foregroundFinalizer) === true ? 'Foreground' : 'Background';
}
