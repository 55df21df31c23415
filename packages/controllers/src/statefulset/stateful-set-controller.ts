import { controllerOf, type LabelSelector } from '@kubechain/apimachinery';
import type { ControllerRevision, StatefulSet, StatefulSetStatus } from '@kubechain/apimachinery/types/apps/v1';
import type { PersistentVolumeClaim, Pod } from '@kubechain/apimachinery/types/core/v1';
import { runWorkers, type WorkQueue } from '@kubechain/shared-storage/work-queue';
import { isDeepStrictEqual } from 'node:util';
import type { ResourceType } from '../client/resource-type.ts';
import { resources } from '../client/resources.ts';
import { ControllerRefManager } from '../controller/controller-ref-manager.ts';
import { selectorOf } from '../controller/selector-of.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import {
  byRevision,
  ControllerRevisions,
  isSameTemplate,
  nextRevision,
  revisionLabel,
  surplusRevisions,
} from '../history/controller-revisions.ts';
import { namespacedQueue } from '../controller/namespaces-in-turns.ts';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { addControllerIndex, ownedOrOrphans } from '../controller/owned-objects.ts';
import { availableInMs, isPodReady } from '../pods/pod-state.ts';
import { Adopters } from '../selectors/adopters.ts';
import { isMember } from './identity.ts';
import { completed, type SetRevisions } from './set-status.ts';
import { SetSync } from './set-sync.ts';

/** Keeps pods with names and claims of their own (pkg/controller/statefulset, 1.36). */
export class StatefulSetController implements Controller {
  readonly #context: ControllerContext;
  readonly #sets: SharedInformer<StatefulSet>;
  readonly #pods: SharedInformer<Pod>;
  readonly #claims: SharedInformer<PersistentVolumeClaim>;
  readonly #revisions: SharedInformer<ControllerRevision>;
  readonly #history: ControllerRevisions;
  readonly #recorder: EventRecorder;
  readonly #queue: WorkQueue;
  readonly #adopters: Adopters<StatefulSet>;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#recorder = context.recorder('statefulset-controller');
    this.#history = new ControllerRevisions(context.client);
    this.#queue = namespacedQueue(context, 'statefulset');
    this.#sets = context.informers.informer(resources.statefulsets);
    this.#pods = context.informers.informer(resources.pods);
    this.#claims = context.informers.informer(resources.persistentvolumeclaims);
    this.#revisions = context.informers.informer(resources.controllerrevisions);
    addControllerIndex(this.#pods);
    addControllerIndex(this.#revisions);
    this.#adopters = new Adopters(context, { owners: this.#sets, selectorOf, queue: (key) => this.#queue.add(key) });
    const add = (set: StatefulSet): void => this.#queue.add(keyOf(set));
    this.#sets.addHandlers({ onAdd: add, onUpdate: add, onDelete: add });
    this.#pods.addHandlers({
      onAdd: (pod) => {
        this.#queueOwner(pod);
        this.#adopters.added(pod);
      },
      onUpdate: (pod, before) => {
        if (pod.metadata?.resourceVersion === before.metadata?.resourceVersion) return;
        if (controllerOf(pod.metadata)?.uid !== controllerOf(before.metadata)?.uid) this.#queueOwner(before);
        this.#queueOwner(pod);
        this.#adopters.updated(pod, before);
        const wait = this.#ownerOf(pod)?.spec?.minReadySeconds ?? 0;
        if (wait > 0 && !isPodReady(before) && isPodReady(pod))
          this.#queue.addAfter(keyOf(this.#ownerOf(pod)!), wait * 1_000);
      },
      onDelete: (pod) => this.#queueOwner(pod),
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    const informers = [this.#sets, this.#pods, this.#claims, this.#revisions];
    await Promise.all(informers.map((informer) => informer.waitForSync(signal)));
    await Promise.all([
      runWorkers({
        queue: this.#queue,
        workers: this.#context.flags.concurrency['concurrent-statefulset-syncs'],
        signal,
        sync: (key) => this.#sync(key),
        onError: (error, set) => this.#context.log.error('Error syncing StatefulSet, requeuing', error, { set }),
      }),
      this.#adopters.run(signal),
    ]);
  }

  #queueOwner(pod: Pod): void {
    const owner = this.#ownerOf(pod);
    if (owner !== undefined) this.#queue.add(keyOf(owner));
  }

  #ownerOf({ metadata }: Pod): StatefulSet | undefined {
    const reference = controllerOf(metadata);
    if (reference?.kind !== 'StatefulSet') return undefined;
    const set = this.#sets.get(`${metadata?.namespace ?? ''}/${reference.name}`);
    return set?.metadata?.uid === reference.uid ? set : undefined;
  }

  async #sync(key: string): Promise<void> {
    const set = this.#sets.get(key);
    if (set === undefined) return;
    const selector = selectorOf(set);
    if (selector === undefined) return;
    const known = await this.#claimManager<ControllerRevision>(set, selector, resources.controllerrevisions).claim(
      ownedOrOrphans(this.#revisions, set).filter(({ metadata }) => selector.matches(metadata?.labels)),
    );
    const pods = await this.#claimManager<Pod>(set, selector, resources.pods).claim(
      ownedOrOrphans(this.#pods, set),
      (pod) => isMember(set, pod),
    );
    const revisions = await this.#revisionsOf(set, known);
    const { error, status } = await new SetSync(set, {
      context: this.#context,
      recorder: this.#recorder,
      revisions,
      claim: (namespace, name) => this.#claims.get(`${namespace}/${name}`),
    }).sync(pods);
    await this.#updateStatus(set, completed(set, status));
    if (error !== undefined) throw error as Error;
    await this.#truncate(set, known, { pods, revisions });
    this.#planAvailability(set, pods, status);
  }

  /** The revision of the template now, made or brought to the front, and the one that pods came from before. */
  async #revisionsOf(set: StatefulSet, known: readonly ControllerRevision[]): Promise<SetRevisions> {
    const sorted = known.toSorted(byRevision);
    const collisions = set.status?.collisionCount ?? 0;
    const template = set.spec?.template ?? {};
    const same = sorted.findLast((revision) => isSameTemplate(revision, template));
    let update = same;
    let collisionCount = collisions;
    if (same === undefined)
      ({ revision: update, collisionCount } = await this.#history.create(
        { object: set, type: resources.statefulsets, template },
        nextRevision(sorted),
        collisions,
      ));
    else if (same !== sorted.at(-1)) update = await this.#history.renumber(same, nextRevision(sorted));
    const current = sorted.find(({ metadata }) => metadata?.name === set.status?.currentRevision) ?? update!;
    return { current, update: update!, collisionCount };
  }

  #claimManager<T extends Pod | ControllerRevision>(
    set: StatefulSet,
    selector: LabelSelector,
    type: ResourceType<T>,
  ): ControllerRefManager<T> {
    const { client } = this.#context;
    return new ControllerRefManager<T>({
      owned: client.resource(type),
      owner: set,
      owners: client.resource(resources.statefulsets),
      selector,
    });
  }

  async #updateStatus(set: StatefulSet, status: StatefulSetStatus): Promise<void> {
    const before = set.status ?? { replicas: 0 };
    if (
      (before.observedGeneration ?? 0) >= (status.observedGeneration ?? 0) &&
      isDeepStrictEqual(counts(before), counts(status))
    )
      return;
    const sets = this.#context.client.resource(resources.statefulsets);
    const conditions = before.conditions === undefined ? {} : { conditions: before.conditions };
    try {
      await sets.updateStatus({ ...set, status: { ...status, ...conditions } });
    } catch {
      const { name = '', namespace } = set.metadata ?? {};
      const fresh = await sets.get({ name, namespace });
      await sets.updateStatus({ ...fresh, status: { ...status, ...conditions } });
    }
  }

  async #truncate(
    set: StatefulSet,
    known: readonly ControllerRevision[],
    { pods, revisions }: { readonly pods: readonly Pod[]; readonly revisions: SetRevisions },
  ): Promise<void> {
    const used = new Set([
      revisions.current.metadata?.name,
      revisions.update.metadata?.name,
      ...pods.map(({ metadata }) => metadata?.labels?.[revisionLabel]),
    ]);
    const isUsed = ({ metadata }: ControllerRevision): boolean => used.has(metadata?.name);
    for (const revision of surplusRevisions(known, isUsed, set.spec?.revisionHistoryLimit ?? 10))
      await this.#history.delete(revision);
  }

  /** Ready pods become available by time alone. */
  #planAvailability(set: StatefulSet, pods: readonly Pod[], status: StatefulSetStatus): void {
    const wait = set.spec?.minReadySeconds ?? 0;
    if (wait === 0 || status.readyReplicas === status.availableReplicas) return;
    const nowMs = this.#context.clock.now();
    const waits = pods
      .map((pod) => availableInMs(pod, wait, nowMs))
      .filter((waitMs): waitMs is number => waitMs !== undefined && waitMs > 0);
    this.#queue.addAfter(keyOf(set), waits.length === 0 ? wait * 1_000 : Math.min(...waits));
  }
}

function counts(status: StatefulSetStatus): object {
  return {
    replicas: status.replicas,
    ready: status.readyReplicas ?? 0,
    available: status.availableReplicas ?? 0,
    current: status.currentReplicas ?? 0,
    updated: status.updatedReplicas ?? 0,
    currentRevision: status.currentRevision,
    updateRevision: status.updateRevision,
  };
}
