import { isConflict, isNotFound } from '@kubechain/apimachinery';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import type { ResourceClaim, ResourceClaimTemplate } from '@kubechain/apimachinery/types/resource/v1';
import { runWorkers, type WorkQueue } from '@kubechain/shared-storage/work-queue';
import { resources } from '../client/resources.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import { namespacedQueue } from '../controller/namespaces-in-turns.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { generatedClaim, podClaimAnnotation } from './generated-claim.ts';
import {
  canBeReserved,
  claimFinalizer,
  claimKeysOfPod,
  claimNamesOf,
  consumerOf,
  isDoneWithClaims,
  isOwnedBy,
  isReservedFor,
} from './pod-claims.ts';

const podsByClaim = 'claims for devices of pods';
const podsByTemplate = 'templates of claims of pods';
const claimsByPod = 'pods of claims';
const fieldManager = 'ResourceClaimController';

type Key = `pod:${string}` | `claim:${string}`;

/**
 * Makes claims of templates for pods, notes which pods use claims and which do no longer, and takes devices back when
 * nobody does (pkg/controller/resourceclaim, 1.36, without groups of pods).
 */
export class ResourceClaimController implements Controller {
  readonly #context: ControllerContext;
  readonly #recorder: EventRecorder;
  readonly #pods: SharedInformer<Pod>;
  readonly #claims: SharedInformer<ResourceClaim>;
  readonly #templates: SharedInformer<ResourceClaimTemplate>;
  readonly #queue: WorkQueue<Key>;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#recorder = context.recorder('resource_claim');
    this.#queue = namespacedQueue<Key>(context, 'resource_claim');
    this.#pods = context.informers.informer(resources.pods);
    this.#claims = context.informers.informer(resources.resourceclaims);
    this.#templates = context.informers.informer(resources.resourceclaimtemplates);
    this.#pods.addIndex(podsByClaim, claimKeysOfPod);
    this.#pods.addIndex(podsByTemplate, ({ metadata, spec }) =>
      (spec?.resourceClaims ?? []).flatMap(({ resourceClaimTemplateName: name }) =>
        name === undefined ? [] : [`${metadata?.namespace ?? ''}/${name}`],
      ),
    );
    this.#claims.addIndex(claimsByPod, ({ metadata }) =>
      (metadata?.ownerReferences ?? []).flatMap(({ controller, uid }) => (controller === true ? [uid] : [])),
    );
    const changed = (pod: Pod): void => this.#podChanged(pod, false);
    this.#pods.addHandlers({ onAdd: changed, onUpdate: changed, onDelete: (pod) => this.#podChanged(pod, true) });
    const claimChanged = (claim: ResourceClaim): void => {
      this.#queue.add(`claim:${keyOf(claim)}`);
      this.#claimMoved(claim);
    };
    this.#claims.addHandlers({
      onAdd: claimChanged,
      onUpdate: claimChanged,
      onDelete: (claim) => this.#claimMoved(claim),
    });
    this.#templates.addHandlers({
      onAdd: (template) => {
        for (const pod of this.#pods.byIndex(podsByTemplate, keyOf(template))) changed(pod);
      },
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#pods, this.#claims, this.#templates].map((informer) => informer.waitForSync(signal)));
    await runWorkers({
      queue: this.#queue,
      workers: 50,
      signal,
      sync: (key) => (key.startsWith('pod:') ? this.#syncPod(key.slice(4)) : this.#syncClaim(key.slice(6))),
      onError: (error, key) => {
        if (!isConflict(error)) this.#context.log.error('cannot look after a claim for devices', error, { key });
      },
    });
  }

  #podChanged(pod: Pod, isGone: boolean): void {
    if ((pod.spec?.resourceClaims ?? []).length === 0) return;
    if (isGone || isDoneWithClaims(pod)) {
      for (const key of claimKeysOfPod(pod)) this.#queue.add(`claim:${key}`);
      for (const claim of this.#claims.byIndex(claimsByPod, pod.metadata?.uid ?? ''))
        this.#queue.add(`claim:${keyOf(claim)}`);
    }
    if (!isGone && this.#needsWork(pod)) this.#queue.add(`pod:${keyOf(pod)}`);
  }

  #claimMoved(claim: ResourceClaim): void {
    for (const pod of this.#pods.byIndex(podsByClaim, keyOf(claim))) this.#podChanged(pod, false);
  }

  #needsWork(pod: Pod): boolean {
    if (pod.metadata?.deletionTimestamp !== undefined || isDoneWithClaims(pod)) return false;
    return claimNamesOf(pod).some(({ entry, generated, name }) => {
      if (name === '') return false;
      const claim = name === undefined ? undefined : this.#claims.get(`${pod.metadata?.namespace ?? ''}/${name}`);
      if (claim === undefined) return entry.resourceClaimTemplateName !== undefined;
      if (generated && !isOwnedBy(claim, pod)) return false;
      return this.#mustReserve(claim, pod);
    });
  }

  /** Who is on a node uses a claim, though nobody has said so: it was bound without this scheduler. */
  #mustReserve(claim: ResourceClaim, pod: Pod): boolean {
    return (
      (pod.spec?.nodeName ?? '') !== '' &&
      claim.status?.allocation !== undefined &&
      !isReservedFor(claim, pod) &&
      canBeReserved(claim)
    );
  }

  async #syncPod(key: string): Promise<void> {
    const pod = this.#pods.get(key);
    if (pod === undefined || pod.metadata?.deletionTimestamp !== undefined || isDoneWithClaims(pod)) return;
    const { name = '', namespace = '' } = pod.metadata ?? {};
    const made: { readonly name: string; readonly resourceClaimName: string }[] = [];
    for (const named of claimNamesOf(pod)) {
      try {
        const claim = await this.#claimFor(pod, named);
        if (claim !== undefined) made.push({ name: named.entry.name, resourceClaimName: claim });
      } catch (error) {
        const message = `PodResourceClaim ${named.entry.name}: ${String((error as Error).message)}`;
        this.#recorder.event(pod, resources.pods, {
          type: 'Warning',
          reason: 'FailedResourceClaimCreation',
          message,
        });
        throw error;
      }
    }
    if (made.length > 0)
      await this.#context.client
        .resource(resources.pods)
        .apply(
          { metadata: { name, namespace }, status: { resourceClaimStatuses: made } },
          { fieldManager, force: true, subresource: 'status' },
        );
    if ((pod.spec?.nodeName ?? '') === '') return;
    for (const claimKey of claimKeysOfPod(pod)) {
      const claim = this.#claims.get(claimKey);
      if (claim === undefined || !this.#mustReserve(claim, pod)) continue;
      await this.#context.client.resource(resources.resourceclaims).update(
        {
          ...claim,
          status: { ...claim.status, reservedFor: [...(claim.status?.reservedFor ?? []), consumerOf(pod)] },
        },
        'status',
      );
    }
  }

  /** The name of a claim that is to be noted; undefined where there is nothing to note. */
  async #claimFor(pod: Pod, { entry, name }: ReturnType<typeof claimNamesOf>[number]): Promise<string | undefined> {
    const { namespace = '', uid = '' } = pod.metadata ?? {};
    const templateName = entry.resourceClaimTemplateName;
    if (name === '' || templateName === undefined) return undefined;
    if (name !== undefined) {
      const claim = this.#claims.get(`${namespace}/${name}`);
      if (claim !== undefined && isOwnedBy(claim, pod)) return undefined;
    }
    // It may have been made before, without being noted.
    const orphan = this.#claims
      .byIndex(claimsByPod, uid)
      .find(({ metadata }) => metadata?.annotations?.[podClaimAnnotation] === entry.name);
    if (orphan !== undefined) return orphan.metadata?.name;
    const template = this.#templates.get(`${namespace}/${templateName}`);
    if (template === undefined)
      throw new Error(
        `resource claim template "${templateName}": resourceclaimtemplate.resource.k8s.io "${templateName}" not found`,
      );
    const made = await this.#context.client
      .resource(resources.resourceclaims)
      .create(generatedClaim(pod, entry.name, template));
    return made.metadata?.name;
  }

  async #syncClaim(key: string): Promise<void> {
    let claim = this.#claims.get(key);
    if (claim === undefined) return;
    const claims = this.#context.client.resource(resources.resourceclaims);
    const before = claim.status?.reservedFor ?? [];
    const remaining = [];
    for (const consumer of before) if (await this.#stillUses(claim, consumer)) remaining.push(consumer);
    const isProtected = claim.metadata?.finalizers?.includes(claimFinalizer) === true;
    const unused = remaining.length === 0;
    const ends = claim.metadata?.deletionTimestamp !== undefined && unused && isProtected;
    if (remaining.length < before.length || (ends && claim.status?.allocation !== undefined)) {
      const { allocation, ...status } = claim.status ?? {};
      const kept = unused && isProtected ? {} : { allocation };
      claim = await claims.update(
        { ...claim, status: { ...status, ...kept, reservedFor: remaining } as ResourceClaim['status'] & object },
        'status',
      );
    }
    if (isProtected && unused && claim.status?.allocation === undefined && (ends || remaining.length < before.length)) {
      const finalizers = (claim.metadata?.finalizers ?? []).filter((each) => each !== claimFinalizer);
      claim = await claims.update({ ...claim, metadata: { ...claim.metadata, finalizers } });
    }
    if (unused && claim.metadata?.deletionTimestamp === undefined) await this.#deleteUnneeded(claim);
  }

  async #stillUses(
    { metadata }: ResourceClaim,
    { apiGroup = '', name, resource, uid }: NonNullable<NonNullable<ResourceClaim['status']>['reservedFor']>[number],
  ): Promise<boolean> {
    if (apiGroup !== '' || resource !== 'pods') return true;
    const namespace = metadata?.namespace ?? '';
    const known = this.#pods.get(`${namespace}/${name}`);
    if (known !== undefined) return known.metadata?.uid === uid && !isDoneWithClaims(known);
    // The informer may not show it yet: to be wrong here takes a running pod its devices.
    try {
      const pod = await this.#context.client.resource(resources.pods).get({ namespace, name });
      return pod.metadata?.uid === uid;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }

  /** A claim that was made for a pod goes with the pod's end, not only with the pod. */
  async #deleteUnneeded({ metadata }: ResourceClaim): Promise<void> {
    const owner = metadata?.ownerReferences?.find(({ controller, kind }) => controller === true && kind === 'Pod');
    const namespace = metadata?.namespace ?? '';
    const pod = this.#pods.get(`${namespace}/${owner?.name ?? ''}`);
    if (owner === undefined || pod === undefined) return;
    if (pod.metadata?.uid === owner.uid && !isDoneWithClaims(pod)) return;
    try {
      await this.#context.client.resource(resources.resourceclaims).delete({ namespace, name: metadata?.name ?? '' });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}
