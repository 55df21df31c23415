import { isConflict, isNotFound } from '@kubechain/apimachinery';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import type { ResourceClaim, ResourceSlice } from '@kubechain/apimachinery/types/resource/v1';
import { runWorkers, type WorkQueue } from '@kubechain/shared-storage/work-queue';
import { isDeepStrictEqual } from 'node:util';
import { resources } from '../client/resources.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import { namespacedQueue } from '../controller/namespaces-in-turns.ts';
import { claimNamesOf, isOwnedBy, isReservedFor } from '../devices/pod-claims.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import { keyOf, splitKey } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { disruptionTarget } from '../pods/disruption-target.ts';
import { evictionTimeOf, noExecuteTaintsIn, type TaintLookup } from './eviction-time.ts';

const why = {
  reason: 'DeletionByDeviceTaintManager',
  message: 'Device Taint manager: deleting due to NoExecute taint',
};

/**
 * Deletes pods whose devices have NoExecute taints that their claims do not tolerate (pkg/controller/
 * devicetainteviction, 1.36). Taints are those of ResourceSlices: the gate of DeviceTaintRules is off.
 */
export class DeviceTaintEvictionController implements Controller {
  readonly #context: ControllerContext;
  readonly #recorder: EventRecorder;
  readonly #pods: SharedInformer<Pod>;
  readonly #claims: SharedInformer<ResourceClaim>;
  readonly #slices: SharedInformer<ResourceSlice>;
  /** Keys of pods. */
  readonly #queue: WorkQueue;
  /** By key of a pod that is to go: whose turn it is, and when. */
  readonly #due = new Map<string, { readonly uid: string; readonly atMs: number }>();
  /** Uids of pods that were deleted for it. */
  readonly #evicted = new Set<string>();
  /** Of the slices as they are; undefined: to be read anew. */
  #taints: TaintLookup | undefined;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#recorder = context.recorder('device-taint-eviction-controller');
    this.#queue = namespacedQueue(context, 'device-taint-eviction');
    this.#pods = context.informers.informer(resources.pods);
    this.#claims = context.informers.informer(resources.resourceclaims);
    this.#slices = context.informers.informer(resources.resourceslices);
    this.#pods.addHandlers({
      onAdd: (pod) => this.#judge(pod),
      onUpdate: (pod, before) => {
        if (
          pod.spec?.nodeName !== before.spec?.nodeName ||
          !isDeepStrictEqual(pod.status?.resourceClaimStatuses, before.status?.resourceClaimStatuses)
        )
          this.#judge(pod);
      },
      onDelete: (pod) => {
        this.#due.delete(keyOf(pod));
        this.#evicted.delete(pod.metadata?.uid ?? '');
      },
    });
    this.#claims.addHandlers({
      onAdd: (claim) => this.#judgeUsers(claim),
      onUpdate: (claim, before) => {
        this.#judgeUsers(before);
        this.#judgeUsers(claim);
      },
      onDelete: (claim) => this.#judgeUsers(claim),
    });
    const sliceChanged = ({ spec }: ResourceSlice): void => {
      this.#taints = undefined;
      for (const claim of this.#claims.list())
        if (
          claim.status?.allocation?.devices?.results?.some(
            ({ driver, pool }) => driver === spec.driver && pool === spec.pool.name,
          ) === true
        )
          this.#judgeUsers(claim);
    };
    this.#slices.addHandlers({ onAdd: sliceChanged, onUpdate: sliceChanged, onDelete: sliceChanged });
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#pods, this.#claims, this.#slices].map((informer) => informer.waitForSync(signal)));
    await runWorkers({
      queue: this.#queue,
      workers: 8,
      signal,
      sync: (key) => this.#evict(key),
      onError: (error, pod) => {
        if (!isConflict(error)) this.#context.log.error('a pod cannot be evicted', error, { pod });
      },
    });
  }

  #judgeUsers({ metadata, status }: ResourceClaim): void {
    for (const { apiGroup = '', name, resource, uid } of status?.reservedFor ?? []) {
      const pod = this.#pods.get(`${metadata?.namespace ?? ''}/${name}`);
      if (apiGroup === '' && resource === 'pods' && pod?.metadata?.uid === uid && pod !== undefined) this.#judge(pod);
    }
  }

  #judge(pod: Pod): void {
    const key = keyOf(pod);
    const atMs = this.#evictionTime(pod);
    if (atMs !== undefined) {
      this.#due.set(key, { uid: pod.metadata?.uid ?? '', atMs });
      this.#queue.addAfter(key, atMs - this.#context.clock.now());
    } else if (this.#due.delete(key)) this.#tell(pod, 'Cancelling deletion');
  }

  /** Of a pod on a node: the earliest of its claims' times. */
  #evictionTime(pod: Pod): number | undefined {
    if ((pod.spec?.nodeName ?? '') === '') return undefined;
    this.#taints ??= noExecuteTaintsIn(this.#slices.list());
    const taints = this.#taints;
    const times = claimNamesOf(pod).flatMap(({ generated, name = '' }) => {
      const claim = name === '' ? undefined : this.#claims.get(`${pod.metadata?.namespace ?? ''}/${name}`);
      if (claim === undefined || (generated && !isOwnedBy(claim, pod)) || !isReservedFor(claim, pod)) return [];
      return evictionTimeOf(claim, taints) ?? [];
    });
    return times.length === 0 ? undefined : Math.min(...times);
  }

  async #evict(key: string): Promise<void> {
    const due = this.#due.get(key);
    if (due === undefined || this.#evicted.has(due.uid)) return;
    const { client, clock } = this.#context;
    const leftMs = due.atMs - clock.now();
    if (leftMs > 0) return this.#queue.addAfter(key, leftMs);
    try {
      const at = splitKey(key);
      const pods = client.resource(resources.pods);
      const pod = await pods.get(at);
      if (pod.metadata?.uid === due.uid && pod.metadata.deletionTimestamp === undefined) {
        this.#tell(pod, 'Marking for deletion');
        const conditions = disruptionTarget(pod, why, clock.now());
        if (conditions !== undefined)
          await pods.patch(
            at,
            { metadata: { uid: due.uid }, status: { conditions } },
            { type: 'application/strategic-merge-patch+json', subresource: 'status' },
          );
        await pods.delete(at, { preconditions: { uid: due.uid } });
      }
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    this.#due.delete(key);
    this.#evicted.add(due.uid);
  }

  #tell({ metadata }: Pod, message: string): void {
    const { name = '', namespace, uid } = metadata ?? {};
    this.#recorder.eventAbout(
      {
        apiVersion: 'v1',
        kind: 'Pod',
        name,
        ...(namespace === undefined ? {} : { namespace }),
        ...(uid === undefined ? {} : { uid }),
      },
      { type: 'Normal', reason: 'DeviceTaintManagerEviction', message },
    );
  }
}
