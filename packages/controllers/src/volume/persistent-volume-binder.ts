import { isConflict, isNotFound } from '@kubechain/apimachinery';
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '@kubechain/apimachinery/types/core/v1';
import type { StorageClass } from '@kubechain/apimachinery/types/storage/v1';
import { runWorkers, type WorkQueue } from '@kubechain/shared-storage/work-queue';
import { resources } from '../client/resources.ts';
import { every } from '../clock/every.ts';
import { inTurns } from '../clock/in-turns.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import { namespacedQueue } from '../controller/namespaces-in-turns.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { isPodEnded } from '../pods/pod-state.ts';
import {
  claimKeysOf,
  classOfClaim,
  classOfVolume,
  defaultClass,
  haveSameMode,
  isForClaim,
  namesClass,
  volumeMismatch,
  waitsForConsumer,
} from './claim-facts.ts';
import { findVolume } from './find-volume.ts';
import { NewestObjects } from '../informers/newest-objects.ts';
import { reclaimOf } from './reclaim.ts';
import { volumeAnnotations } from './volume-annotations.ts';
import { addCandidatesIndex, candidatesFor } from './volume-candidates.ts';
import { VolumeWrites } from './volume-writes.ts';

const component = 'persistentvolume-controller';
const podsByClaim = 'claims of pods';
/** Of claims that have no volume and name none. */
const waitingByClass = 'classes of waiting claims';

/**
 * Brings claims and volumes together, and parts them again (pkg/controller/volume/persistentvolume, 1.36). What a
 * volume is and who makes one is others' work: provisioners are asked by an annotation.
 *
 *     claim   Pending ─ a volume fits ─► Bound ─ its volume is gone ─► Lost
 *     volume  Available ─► Bound ─ its claim is gone ─► Released ─ Delete, Recycle or Retain
 */
export class PersistentVolumeBinder implements Controller {
  readonly #context: ControllerContext;
  readonly #recorder: EventRecorder;
  readonly #claimInformer: SharedInformer<PersistentVolumeClaim>;
  readonly #volumeInformer: SharedInformer<PersistentVolume>;
  readonly #classes: SharedInformer<StorageClass>;
  readonly #pods: SharedInformer<Pod>;
  readonly #claims: NewestObjects<PersistentVolumeClaim>;
  readonly #volumes: NewestObjects<PersistentVolume>;
  readonly #writes: VolumeWrites;
  /**
   * `claim NAMESPACE/NAME` and `volume NAME`: one worker, since both write both. `class NAME`: there is a free volume,
   * or there are many, of this class, and claims that wait for one are looked at once.
   */
  readonly #queue: WorkQueue;

  constructor(context: ControllerContext) {
    const { informers } = context;
    this.#context = context;
    this.#recorder = context.recorder(component);
    this.#queue = namespacedQueue(context, 'claims');
    this.#claimInformer = informers.informer(resources.persistentvolumeclaims);
    this.#volumeInformer = informers.informer(resources.persistentvolumes);
    this.#classes = informers.informer(resources.storageclasses);
    this.#pods = informers.informer(resources.pods);
    this.#pods.addIndex(podsByClaim, claimKeysOf);
    addCandidatesIndex(this.#volumeInformer);
    this.#claimInformer.addIndex(waitingByClass, (claim) =>
      (claim.spec?.volumeName ?? '') === '' ? [classOfClaim(claim)] : [],
    );
    this.#claims = new NewestObjects(this.#claimInformer);
    this.#volumes = new NewestObjects(this.#volumeInformer);
    this.#writes = new VolumeWrites(context.client, { claims: this.#claims, volumes: this.#volumes });
    const claimChanged = (claim: PersistentVolumeClaim): void => this.#queue.add(`claim ${keyOf(claim)}`);
    this.#claimInformer.addHandlers({
      onAdd: claimChanged,
      onUpdate: claimChanged,
      onDelete: ({ spec }) => {
        if ((spec?.volumeName ?? '') !== '') this.#queue.add(`volume ${spec?.volumeName ?? ''}`);
      },
    });
    this.#volumeInformer.addHandlers({
      onAdd: (volume) => this.#volumeChanged(volume),
      onUpdate: (volume) => this.#volumeChanged(volume),
      onDelete: ({ spec }) => {
        if (spec?.claimRef !== undefined) this.#queue.add(`claim ${claimKeyOf(spec.claimRef)}`);
      },
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, flags, log } = this.#context;
    await Promise.all(
      [this.#claimInformer, this.#volumeInformer, this.#classes, this.#pods].map((informer) =>
        informer.waitForSync(signal),
      ),
    );
    void every(flags.lifecycle['pvclaimbinder-sync-period'], () => this.#addAll(), { clock, signal });
    await runWorkers({
      queue: this.#queue,
      workers: 1,
      signal,
      sync: (key) => this.#sync(key),
      onError: (error, key) => {
        // Somebody else was quicker: the informer tells, or the next try sees it.
        if (!isConflict(error)) log.error('cannot bind', error, { key });
      },
    });
  }

  async #addAll(): Promise<void> {
    await inTurns(this.#claimInformer.list(), (claim) => this.#queue.add(`claim ${keyOf(claim)}`));
    await inTurns(this.#volumeInformer.list(), (volume) => this.#queue.add(`volume ${keyOf(volume)}`));
  }

  #volumeChanged(volume: PersistentVolume): void {
    this.#queue.add(`volume ${keyOf(volume)}`);
    if (volume.status?.phase === 'Available') this.#queue.add(`class ${classOfVolume(volume)}`);
  }

  async #sync(key: string): Promise<void> {
    const space = key.indexOf(' ');
    const [kind, name] = [key.slice(0, space), key.slice(space + 1)];
    if (kind === 'claim') {
      const claim = this.#claims.get(name);
      if (claim === undefined) return;
      if (claim.metadata?.annotations?.[volumeAnnotations.bindCompleted] === undefined) await this.#syncUnbound(claim);
      else await this.#syncBound(claim);
    } else if (kind === 'class')
      await inTurns(this.#claimInformer.byIndex(waitingByClass, name), (claim) =>
        this.#queue.add(`claim ${keyOf(claim)}`),
      );
    else {
      const volume = this.#volumes.get(name);
      if (volume !== undefined) await this.#syncVolume(volume);
    }
  }

  async #syncUnbound(claim: PersistentVolumeClaim): Promise<void> {
    const volumeName = claim.spec?.volumeName ?? '';
    if (volumeName !== '') return this.#syncNamed(claim, this.#volumes.get(volumeName));
    const waits = waitsForConsumer(claim, (name) => this.#classes.get(name));
    const found = findVolume(claim, candidatesFor(claim, this.#volumes), { keptOnly: waits });
    if (found !== undefined) return this.#writes.bind(found, claim);
    if (!namesClass(claim)) {
      const storageClassName = defaultClass(this.#classes.list())?.metadata?.name;
      if (storageClassName !== undefined) {
        await this.#writes.updateClaim({ ...claim, spec: { ...claim.spec, storageClassName } });
        return;
      }
    }
    if (waits && claim.metadata?.annotations?.[volumeAnnotations.selectedNode] === undefined) this.#tellWaiting(claim);
    else if (classOfClaim(claim) !== '') return this.#askProvisioner(claim);
    else
      this.#tellClaim(claim, {
        type: 'Normal',
        reason: 'FailedBinding',
        message: 'no persistent volumes available for this claim and no storage class is set',
      });
    await this.#writes.setClaimPhase(claim, 'Pending');
  }

  /** The user has chosen a volume. */
  async #syncNamed(claim: PersistentVolumeClaim, volume: PersistentVolume | undefined): Promise<void> {
    if (volume !== undefined) {
      const name = volume.metadata?.name ?? '';
      if (volume.spec?.claimRef === undefined) {
        const problem = volumeMismatch(volume, claim);
        if (problem === undefined) return this.#writes.bind(volume, claim);
        const message = `Cannot bind to requested volume "${name}": ${problem}`;
        this.#tellClaim(claim, { type: 'Warning', reason: 'VolumeMismatch', message });
      } else if (isForClaim(volume, claim)) return this.#writes.bind(volume, claim);
      else {
        const message = `volume "${name}" already bound to a different claim.`;
        this.#tellClaim(claim, { type: 'Warning', reason: 'FailedBinding', message });
      }
    }
    await this.#writes.setClaimPhase(claim, 'Pending');
  }

  async #syncBound(claim: PersistentVolumeClaim): Promise<void> {
    const volumeName = claim.spec?.volumeName ?? '';
    if (volumeName === '')
      return this.#lose(
        claim,
        'ClaimLost',
        'Bound claim has lost reference to PersistentVolume. Data on the volume is lost!',
      );
    const volume = this.#volumes.get(volumeName);
    if (volume === undefined)
      return this.#lose(claim, 'ClaimLost', 'Bound claim has lost its PersistentVolume. Data on the volume is lost!');
    const reference = volume.spec?.claimRef;
    if (reference === undefined || reference.uid === claim.metadata?.uid) return this.#writes.bind(volume, claim);
    await this.#lose(claim, 'ClaimMisbound', 'Two claims are bound to the same volume, this one is bound incorrectly');
  }

  async #lose(claim: PersistentVolumeClaim, reason: string, message: string): Promise<void> {
    if (claim.status?.phase === 'Lost') return;
    this.#tellClaim(await this.#writes.setClaimPhase(claim, 'Lost'), { type: 'Warning', reason, message });
  }

  #tellWaiting(claim: PersistentVolumeClaim): void {
    const names = this.#pods
      .byIndex(podsByClaim, keyOf(claim))
      .filter((pod) => !isPodEnded(pod) && (pod.spec?.nodeName ?? '') === '')
      .map(({ metadata }) => metadata?.name ?? '');
    const what =
      names.length === 0
        ? {
            reason: 'WaitForFirstConsumer',
            message: 'waiting for first consumer to be created before binding',
          }
        : {
            reason: 'WaitForPodScheduled',
            message: `waiting for ${names.length === 1 ? 'pod' : 'pods'} ${names.join(',')} to be scheduled`,
          };
    this.#tellClaim(claim, { type: 'Normal', ...what });
  }

  async #askProvisioner(claim: PersistentVolumeClaim): Promise<void> {
    const { provisioner: annotation, betaProvisioner } = volumeAnnotations;
    const className = classOfClaim(claim);
    const provisioner = this.#classes.get(className)?.provisioner;
    const failed = (message: string): void =>
      this.#tellClaim(claim, { type: 'Warning', reason: 'ProvisioningFailed', message });
    if (provisioner === undefined) failed(`storageclass.storage.k8s.io "${className}" not found`);
    else if (provisioner.startsWith('kubernetes.io/')) failed('no volume plugin matched');
    else {
      const annotations = { ...claim.metadata?.annotations };
      const asked =
        annotations[annotation] === provisioner
          ? claim
          : await this.#writes.updateClaim({
              ...claim,
              metadata: {
                ...claim.metadata,
                annotations: { ...annotations, [annotation]: provisioner, [betaProvisioner]: provisioner },
              },
            });
      this.#tellClaim(asked, {
        type: 'Normal',
        reason: 'ExternalProvisioning',
        message:
          `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually ` +
          'by the system administrator. If volume creation is delayed, please verify that the provisioner is ' +
          'running and correctly registered.',
      });
    }
  }

  async #syncVolume(volume: PersistentVolume): Promise<void> {
    const reference = volume.spec?.claimRef;
    if (reference === undefined || (reference.uid ?? '') === '') {
      await this.#writes.setVolumePhase(volume, 'Available');
      return;
    }
    const claim = await this.#claimOf(reference);
    if (claim === undefined) return this.#release(volume);
    const volumeName = claim.spec?.volumeName ?? '';
    if (volumeName === volume.metadata?.name) await this.#writes.setVolumePhase(volume, 'Bound');
    else if (volumeName === '') {
      if (haveSameMode(claim, volume)) this.#queue.add(`claim ${keyOf(claim)}`);
      else this.#tellModes(volume, claim);
    } else if (
      volume.metadata?.annotations?.[volumeAnnotations.provisionedBy] !== undefined &&
      volume.spec?.persistentVolumeReclaimPolicy === 'Delete'
    )
      await this.#release(volume);
    else await this.#writes.unbind(volume);
  }

  /** Asks the server before it takes a claim for gone: a volume must not be given up by mistake. */
  async #claimOf(reference: {
    readonly namespace?: string;
    readonly name?: string;
    readonly uid?: string;
  }): Promise<PersistentVolumeClaim | undefined> {
    const { name = '', namespace, uid } = reference;
    const known = this.#claims.get(claimKeyOf(reference));
    if (known !== undefined && known.metadata?.uid === uid) return known;
    try {
      const found = await this.#context.client.resource(resources.persistentvolumeclaims).get({ name, namespace });
      return found.metadata?.uid === uid ? found : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #release(volume: PersistentVolume): Promise<void> {
    const { phase } = volume.status ?? {};
    const released =
      phase === 'Released' || phase === 'Failed' ? volume : await this.#writes.setVolumePhase(volume, 'Released');
    const reclaim = reclaimOf(released);
    switch (reclaim.kind) {
      case 'none':
        return;
      case 'fail':
        if (phase === 'Failed') return;
        this.#tellVolume(await this.#writes.setVolumePhase(released, 'Failed', reclaim.message), {
          type: 'Warning',
          reason: reclaim.reason,
          message: reclaim.message,
        });
        return;
      case 'recycle':
        this.#tellVolume(released, { type: 'Normal', reason: 'VolumeRecycled', message: 'Volume recycled' });
        return this.#writes.unbind(released);
      case 'delete':
        try {
          await this.#context.client
            .resource(resources.persistentvolumes)
            .delete({ name: released.metadata?.name ?? '' });
        } catch (error) {
          if (!isNotFound(error)) throw error;
        }
        return;
      default:
        reclaim satisfies never;
    }
  }

  #tellModes(volume: PersistentVolume, claim: PersistentVolumeClaim): void {
    const what = { type: 'Warning', reason: 'VolumeMismatch' } as const;
    this.#tellVolume(volume, {
      ...what,
      message:
        `Cannot bind PersistentVolume to requested PersistentVolumeClaim "${claim.metadata?.name ?? ''}" due to ` +
        'incompatible volumeMode.',
    });
    this.#tellClaim(claim, {
      ...what,
      message:
        `Cannot bind PersistentVolume "${volume.metadata?.name ?? ''}" to requested PersistentVolumeClaim due ` +
        'to incompatible volumeMode.',
    });
  }

  #tellClaim(claim: PersistentVolumeClaim, what: Parameters<EventRecorder['event']>[2]): void {
    this.#recorder.event(claim, resources.persistentvolumeclaims, what);
  }

  #tellVolume(volume: PersistentVolume, what: Parameters<EventRecorder['event']>[2]): void {
    this.#recorder.event(volume, resources.persistentvolumes, what);
  }
}

function claimKeyOf({ name = '', namespace = '' }: { readonly name?: string; readonly namespace?: string }): string {
  return `${namespace}/${name}`;
}
