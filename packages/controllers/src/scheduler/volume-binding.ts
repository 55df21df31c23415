import { sleep } from '@kubechain/apimachinery';
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '@kubechain/apimachinery/types/core/v1';
import type { CSINode, StorageClass, VolumeAttachment } from '@kubechain/apimachinery/types/storage/v1';
import { resources } from '../client/resources.ts';
import type { ControllerContext } from '../controller/controller.ts';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { isPodEnded } from '../pods/pod-state.ts';
import { claimKeysOf } from '../volume/claim-facts.ts';
import { keptFor } from '../volume/volume-writes.ts';
import { volumeAnnotations } from '../volume/volume-annotations.ts';
import { addCandidatesIndex, candidatesFor } from '../volume/volume-candidates.ts';
import { isBound, PodVolumes, type VolumePlan, type VolumeView } from './pod-volumes.ts';

const podsByClaim = 'claims of pods';
const attachmentsByNode = 'nodes of attachments';
/** As the reference waits for claims to be bound. */
const patienceMs = 600_000;

/** Knows what pods' volumes are, and has them bound before their pods are (plugin VolumeBinding, 1.36). */
export class VolumeBinding {
  readonly #context: ControllerContext;
  readonly #claims: SharedInformer<PersistentVolumeClaim>;
  readonly #volumes: SharedInformer<PersistentVolume>;
  readonly #classes: SharedInformer<StorageClass>;
  readonly #csiNodes: SharedInformer<CSINode>;
  readonly #attachments: SharedInformer<VolumeAttachment>;
  readonly #view: VolumeView;
  /** Names of volumes that plans under way have chosen. */
  readonly #taken = new Set<string>();
  /** Woken by each change of a claim. */
  readonly #waiters = new Set<() => void>();

  constructor(context: ControllerContext, onChange: () => void) {
    const { informers } = context;
    this.#context = context;
    this.#claims = informers.informer(resources.persistentvolumeclaims);
    this.#volumes = informers.informer(resources.persistentvolumes);
    this.#classes = informers.informer(resources.storageclasses);
    this.#csiNodes = informers.informer(resources.csinodes);
    this.#attachments = informers.informer(resources.volumeattachments);
    this.#attachments.addIndex(attachmentsByNode, ({ spec }) => [spec?.nodeName ?? '']);
    addCandidatesIndex(this.#volumes);
    const pods = informers.informer(resources.pods);
    pods.addIndex(podsByClaim, claimKeysOf);
    const changed = (): void => {
      for (const wake of this.#waiters) wake();
      onChange();
    };
    for (const informer of this.#informers)
      informer.addHandlers({ onAdd: changed, onUpdate: changed, onDelete: changed });
    this.#view = {
      claim: (key) => this.#claims.get(key),
      volume: (name) => this.#volumes.get(name),
      volumesFor: (claim) => candidatesFor(claim, this.#volumes),
      classOf: (name) => this.#classes.get(name),
      csiNode: (name) => this.#csiNodes.get(name),
      attachedTo: (node) => this.#attachments.byIndex(attachmentsByNode, node),
      taken: this.#taken,
      isUsedByOther: (key, pod) =>
        pods
          .byIndex(podsByClaim, key)
          .some(
            (other) =>
              other.metadata?.uid !== pod.metadata?.uid && (other.spec?.nodeName ?? '') !== '' && !isPodEnded(other),
          ),
    };
  }

  async waitForSync(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#informers.map((informer) => informer.waitForSync(signal)));
  }

  get #informers(): readonly Pick<SharedInformer, 'addHandlers' | 'waitForSync'>[] {
    return [this.#claims, this.#volumes, this.#classes, this.#csiNodes, this.#attachments];
  }

  volumesOf(pod: Pod): PodVolumes {
    return new PodVolumes(pod, this.#view);
  }

  /** Keeps a plan's volumes from other pods, until it is carried out or `drop`ped. */
  keep({ bindings }: VolumePlan): void {
    for (const { volume } of bindings) this.#taken.add(volume.metadata?.name ?? '');
  }

  drop({ bindings }: VolumePlan): void {
    for (const { volume } of bindings) this.#taken.delete(volume.metadata?.name ?? '');
  }

  /** Has a plan carried out for a node. @throws Error when a claim is not bound in time, or the plan was upset */
  async bind({ bindings, provisions }: VolumePlan, node: string): Promise<void> {
    const { client, clock, signal } = this.#context;
    for (const { claim, volume } of bindings)
      await client.resource(resources.persistentvolumes).update(keptFor(volume, claim));
    const { selectedNode } = volumeAnnotations;
    for (const { metadata } of provisions)
      await client
        .resource(resources.persistentvolumeclaims)
        .patch(
          { name: metadata?.name ?? '', namespace: metadata?.namespace },
          { metadata: { uid: metadata?.uid, annotations: { [selectedNode]: node } } },
        );
    const waiting = new Set([...bindings.map(({ claim }) => claim), ...provisions].map(keyOf));
    const endMs = clock.now() + patienceMs;
    const asked = new Set<string>();
    while (waiting.size > 0) {
      for (const key of waiting) {
        const claim = this.#claims.get(key);
        if (claim === undefined) throw new Error(`persistentvolumeclaim "${key}" is gone`);
        const chosen = claim.metadata?.annotations?.[selectedNode];
        if (chosen === node) asked.add(key);
        // A provisioner that cannot serve the node takes the annotation away.
        else if (asked.has(key)) throw new Error(`provisioning failed for PVC "${claim.metadata?.name ?? ''}"`);
        if (isBound(claim)) waiting.delete(key);
      }
      if (waiting.size === 0 || signal.aborted) return;
      const leftMs = endMs - clock.now();
      if (leftMs <= 0) throw new Error('binding volumes: context deadline exceeded');
      await this.#change(leftMs);
    }
  }

  async #change(withinMs: number): Promise<void> {
    const { clock, signal } = this.#context;
    const { promise, resolve } = Promise.withResolvers<void>();
    const over = new AbortController();
    this.#waiters.add(resolve);
    await Promise.race([promise, sleep(clock, withinMs, AbortSignal.any([signal, over.signal]))]);
    over.abort();
    this.#waiters.delete(resolve);
  }
}
