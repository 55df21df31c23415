import { isAlreadyExists, isConflict, isNotFound, Quantity } from '@kubechain/apimachinery';
import type { PersistentVolume, PersistentVolumeClaim } from '@kubechain/apimachinery/types/core/v1';
import type { StorageClass, VolumeAttachment } from '@kubechain/apimachinery/types/storage/v1';
import { runWorkers, type WorkQueue } from '@kubechain/shared-storage/work-queue';
import { resources } from '../client/resources.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import { namespacedQueue } from '../controller/namespaces-in-turns.ts';
import { referenceTo } from '../events/object-reference.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { classOfClaim, defaultClass, sizeOfClaim } from './claim-facts.ts';
import { volumeAnnotations } from './volume-annotations.ts';

/** The provisioner's name, for storage classes of one's own. */
export const simulatedProvisioner = 'volumes.simulation.kubechain.dev';
/** As external provisioners put it on their volumes. */
const finalizer = 'external-provisioner.volume.kubernetes.io/finalizer';
const attachFinalizer = `external-attacher/${simulatedProvisioner.replaceAll('.', '-')}`;
const className = 'standard';

const standardClass: StorageClass = {
  metadata: { name: className, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  provisioner: simulatedProvisioner,
  reclaimPolicy: 'Delete',
  volumeBindingMode: 'Immediate',
  allowVolumeExpansion: true,
};

/**
 * Plays a provisioner: makes, enlarges and deletes volumes of no storage for classes that name it, as fast as it is
 * asked, and attaches them. Makes the class `standard`, unless there is a default class.
 */
export class VolumeSimulator implements Controller {
  readonly #context: ControllerContext;
  readonly #recorder: EventRecorder;
  readonly #claims: SharedInformer<PersistentVolumeClaim>;
  readonly #volumes: SharedInformer<PersistentVolume>;
  readonly #classes: SharedInformer<StorageClass>;
  readonly #attachments: SharedInformer<VolumeAttachment>;
  /** `claim NAMESPACE/NAME`, `volume NAME` and `attachment NAME`. */
  readonly #queue: WorkQueue;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#recorder = context.recorder(simulatedProvisioner);
    this.#queue = namespacedQueue(context, 'volume_simulator');
    this.#claims = context.informers.informer(resources.persistentvolumeclaims);
    this.#volumes = context.informers.informer(resources.persistentvolumes);
    this.#classes = context.informers.informer(resources.storageclasses);
    const claimChanged = (claim: PersistentVolumeClaim): void => {
      if (claim.metadata?.annotations?.[volumeAnnotations.provisioner] === simulatedProvisioner)
        this.#queue.add(`claim ${keyOf(claim)}`);
    };
    this.#claims.addHandlers({ onAdd: claimChanged, onUpdate: claimChanged });
    const volumeChanged = (volume: PersistentVolume): void => {
      if (isOurs(volume)) this.#queue.add(`volume ${keyOf(volume)}`);
    };
    this.#volumes.addHandlers({ onAdd: volumeChanged, onUpdate: volumeChanged });
    this.#attachments = context.informers.informer(resources.volumeattachments);
    const attachmentChanged = (attachment: VolumeAttachment): void => {
      if (attachment.spec.attacher === simulatedProvisioner) this.#queue.add(`attachment ${keyOf(attachment)}`);
    };
    this.#attachments.addHandlers({ onAdd: attachmentChanged, onUpdate: attachmentChanged });
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#claims, this.#volumes, this.#classes].map((informer) => informer.waitForSync(signal)));
    if (defaultClass(this.#classes.list()) === undefined)
      await this.#context.client
        .resource(resources.storageclasses)
        .create(standardClass)
        .catch((error: unknown) => {
          if (!isAlreadyExists(error)) throw error;
        });
    await runWorkers({
      queue: this.#queue,
      workers: 4,
      signal,
      sync: (key) => this.#sync(key),
      onError: (error, key) => {
        // Somebody else was quicker: it is tried again.
        if (!isConflict(error)) this.#context.log.error('a volume cannot be played', error, { key });
      },
    });
  }

  async #sync(key: string): Promise<void> {
    const [kind, name = ''] = key.split(' ');
    if (kind === 'volume') return this.#remove(this.#volumes.get(name));
    if (kind === 'attachment') return this.#answer(this.#attachments.get(name));
    const claim = this.#claims.get(name);
    if (claim === undefined || claim.metadata?.deletionTimestamp !== undefined) return;
    if ((claim.spec?.volumeName ?? '') === '') await this.#provision(claim);
    else await this.#enlarge(claim);
  }

  async #provision(claim: PersistentVolumeClaim): Promise<void> {
    const kind = this.#classes.get(classOfClaim(claim));
    if (kind?.provisioner !== simulatedProvisioner) return;
    const isChosen = claim.metadata?.annotations?.[volumeAnnotations.selectedNode] !== undefined;
    if (kind.volumeBindingMode === 'WaitForFirstConsumer' && !isChosen) return;
    const name = `pvc-${claim.metadata?.uid ?? ''}`;
    if (this.#volumes.get(name) !== undefined) return;
    const tell = (reason: string, message: string): void =>
      this.#recorder.event(claim, resources.persistentvolumeclaims, { type: 'Normal', reason, message });
    tell('Provisioning', `External provisioner is provisioning volume for claim "${keyOf(claim)}"`);
    try {
      await this.#context.client.resource(resources.persistentvolumes).create(volumeFor(claim, kind, name));
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      return;
    }
    tell('ProvisioningSucceeded', `Successfully provisioned volume ${name}`);
  }

  /** What asks for more than it has gets it, first the volume, then the claim. */
  async #enlarge(claim: PersistentVolumeClaim): Promise<void> {
    const volume = this.#volumes.get(claim.spec?.volumeName ?? '');
    const known = claim.status?.capacity?.['storage'];
    if (claim.status?.phase !== 'Bound' || volume === undefined || known === undefined || !isOurs(volume)) return;
    const wanted = sizeOfClaim(claim);
    if (wanted.compare(Quantity.parse(known)) <= 0) return;
    const capacity = { storage: wanted.toString() };
    const { name = '', namespace } = claim.metadata ?? {};
    const { client } = this.#context;
    await client.resource(resources.persistentvolumes).patch({ name: keyOf(volume) }, { spec: { capacity } });
    await client
      .resource(resources.persistentvolumeclaims)
      .patch({ name, namespace }, { status: { capacity } }, { subresource: 'status' });
    const message = 'Resize volume succeeded';
    this.#recorder.event(claim, resources.persistentvolumeclaims, {
      type: 'Normal',
      reason: 'VolumeResizeSuccessful',
      message,
    });
  }

  /** As external-attacher does: a finalizer until the volume is detached, which is at once. */
  async #answer(attachment: VolumeAttachment | undefined): Promise<void> {
    if (attachment === undefined) return;
    const { deletionTimestamp, finalizers = [] } = attachment.metadata ?? {};
    const attachments = this.#context.client.resource(resources.volumeattachments);
    const withFinalizers = (kept: string[]): Promise<VolumeAttachment> =>
      attachments.update({ ...attachment, metadata: { ...attachment.metadata, finalizers: kept } });
    const isHeld = finalizers.includes(attachFinalizer);
    if (deletionTimestamp !== undefined) {
      if (isHeld) await withFinalizers(finalizers.filter((each) => each !== attachFinalizer));
      return;
    }
    if (attachment.status?.attached === true) return;
    const held = isHeld ? attachment : await withFinalizers([...finalizers, attachFinalizer]);
    await attachments.updateStatus({ ...held, status: { attached: true } });
  }

  async #remove(volume: PersistentVolume | undefined): Promise<void> {
    if (volume === undefined) return;
    const { deletionTimestamp, finalizers = [], name = '' } = volume.metadata ?? {};
    const volumes = this.#context.client.resource(resources.persistentvolumes);
    try {
      if (deletionTimestamp === undefined) {
        if (volume.status?.phase === 'Released' && volume.spec?.persistentVolumeReclaimPolicy === 'Delete')
          await volumes.delete({ name });
      } else if (finalizers.includes(finalizer) && volume.status?.phase !== 'Bound')
        await volumes.update({
          ...volume,
          metadata: { ...volume.metadata, finalizers: finalizers.filter((each) => each !== finalizer) },
        });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

function isOurs({ metadata }: PersistentVolume): boolean {
  return metadata?.annotations?.[volumeAnnotations.provisionedBy] === simulatedProvisioner;
}

function volumeFor(claim: PersistentVolumeClaim, kind: StorageClass, name: string): PersistentVolume {
  const { accessModes, volumeMode } = claim.spec ?? {};
  return {
    metadata: {
      name,
      annotations: { [volumeAnnotations.provisionedBy]: simulatedProvisioner },
      finalizers: [finalizer],
    },
    spec: {
      ...(accessModes === undefined ? {} : { accessModes }),
      ...(volumeMode === undefined ? {} : { volumeMode }),
      ...(kind.mountOptions === undefined ? {} : { mountOptions: kind.mountOptions }),
      capacity: { storage: sizeOfClaim(claim).toString() },
      claimRef: referenceTo(claim, resources.persistentvolumeclaims),
      persistentVolumeReclaimPolicy: kind.reclaimPolicy ?? 'Delete',
      storageClassName: kind.metadata?.name ?? '',
      csi: { driver: simulatedProvisioner, volumeHandle: name },
    },
  };
}
