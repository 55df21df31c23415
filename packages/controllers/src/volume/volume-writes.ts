import { Quantity } from '@kubechain/apimachinery';
import type { PersistentVolume, PersistentVolumeClaim } from '@kubechain/apimachinery/types/core/v1';
import type { Client } from '../client/client.ts';
import { resources } from '../client/resources.ts';
import { referenceTo } from '../events/object-reference.ts';
import { isForClaim } from './claim-facts.ts';
import type { NewestObjects } from '../informers/newest-objects.ts';
import { volumeAnnotations } from './volume-annotations.ts';

type ClaimPhase = 'Pending' | 'Bound' | 'Lost';
type VolumePhase = 'Available' | 'Bound' | 'Released' | 'Failed';

/** A volume that is kept for a claim: with its reference, and marked where nobody had done that before. */
export function keptFor(volume: PersistentVolume, claim: PersistentVolumeClaim): PersistentVolume {
  const isKept = isForClaim(volume, claim);
  if (isKept && volume.spec?.claimRef?.uid === claim.metadata?.uid) return volume;
  const annotations = isKept
    ? volume.metadata?.annotations
    : { ...volume.metadata?.annotations, [volumeAnnotations.boundByController]: 'yes' };
  return {
    ...volume,
    metadata: { ...volume.metadata, ...(annotations === undefined ? {} : { annotations }) },
    spec: { ...volume.spec, claimRef: referenceTo(claim, resources.persistentvolumeclaims) },
  };
}

/**
 * Writes what the binder decides; writes nothing where it is so already (pv_controller.go bind and updateClaimStatus,
 * 1.36).
 */
export class VolumeWrites {
  readonly #client: Client;
  readonly #claims: NewestObjects<PersistentVolumeClaim>;
  readonly #volumes: NewestObjects<PersistentVolume>;

  constructor(
    client: Client,
    objects: {
      readonly claims: NewestObjects<PersistentVolumeClaim>;
      readonly volumes: NewestObjects<PersistentVolume>;
    },
  ) {
    this.#client = client;
    this.#claims = objects.claims;
    this.#volumes = objects.volumes;
  }

  /** Four writes in an order that can be taken up again after each: the volume's, then the claim's. */
  async bind(volume: PersistentVolume, claim: PersistentVolumeClaim): Promise<void> {
    const kept = keptFor(volume, claim);
    const bound = await this.setVolumePhase(kept === volume ? volume : await this.updateVolume(kept), 'Bound');
    const owner = await this.#completeClaim(claim, bound.metadata?.name ?? '');
    await this.setClaimPhase(owner, 'Bound', bound);
  }

  async updateVolume(volume: PersistentVolume): Promise<PersistentVolume> {
    return this.#volumes.wrote(await this.#client.resource(resources.persistentvolumes).update(volume));
  }

  async updateClaim(claim: PersistentVolumeClaim): Promise<PersistentVolumeClaim> {
    return this.#claims.wrote(await this.#client.resource(resources.persistentvolumeclaims).update(claim));
  }

  async setVolumePhase(volume: PersistentVolume, phase: VolumePhase, message?: string): Promise<PersistentVolume> {
    if (volume.status?.phase === phase) return volume;
    const { message: _, ...status } = volume.status ?? {};
    return this.#volumes.wrote(
      await this.#client
        .resource(resources.persistentvolumes)
        .updateStatus({ ...volume, status: { ...status, phase, ...(message === undefined ? {} : { message }) } }),
    );
  }

  /** With the capacity and modes of a volume, where there is one. */
  async setClaimPhase(
    claim: PersistentVolumeClaim,
    phase: ClaimPhase,
    volume?: PersistentVolume,
  ): Promise<PersistentVolumeClaim> {
    const before = claim.status ?? {};
    const status = volume === undefined ? unbound(before, phase) : boundTo(before, { phase, volume });
    if (JSON.stringify(status) === JSON.stringify(before)) return claim;
    return this.#claims.wrote(
      await this.#client.resource(resources.persistentvolumeclaims).updateStatus({ ...claim, status }),
    );
  }

  /** Takes back what the binder gave; what the user gave loses only the claim's identity. */
  async unbind(volume: PersistentVolume): Promise<void> {
    const { [volumeAnnotations.boundByController]: ours, ...annotations } = volume.metadata?.annotations ?? {};
    const { claimRef, ...spec } = volume.spec ?? {};
    const { uid: _, ...named } = claimRef ?? {};
    const free: PersistentVolume =
      ours === undefined
        ? { ...volume, spec: { ...spec, claimRef: named } }
        : { ...volume, metadata: { ...volume.metadata, annotations }, spec };
    await this.setVolumePhase(await this.updateVolume(free), 'Available');
  }

  #completeClaim(claim: PersistentVolumeClaim, volumeName: string): Promise<PersistentVolumeClaim> {
    const { bindCompleted, boundByController } = volumeAnnotations;
    const annotations = { ...claim.metadata?.annotations };
    const isNew = claim.spec?.volumeName !== volumeName;
    if (!isNew && annotations[bindCompleted] !== undefined) return Promise.resolve(claim);
    if (isNew) annotations[boundByController] ??= 'yes';
    annotations[bindCompleted] ??= 'yes';
    return this.updateClaim({
      ...claim,
      metadata: { ...claim.metadata, annotations },
      spec: { ...claim.spec, volumeName },
    });
  }
}

type ClaimStatus = NonNullable<PersistentVolumeClaim['status']>;

function unbound(before: ClaimStatus, phase: ClaimPhase): ClaimStatus {
  const { accessModes: _modes, capacity: _capacity, currentVolumeAttributesClassName: _class, ...rest } = before;
  return { ...rest, phase };
}

function boundTo(
  before: ClaimStatus,
  { phase, volume }: { readonly phase: ClaimPhase; readonly volume: PersistentVolume },
): ClaimStatus {
  const { accessModes, capacity, volumeAttributesClassName } = volume.spec ?? {};
  const status: ClaimStatus = { ...before, phase, ...(accessModes === undefined ? {} : { accessModes }) };
  // Later changes of size are for those who enlarge volumes to tell.
  if (before.phase === phase) return status;
  const size = capacity?.['storage'];
  const known = before.capacity?.['storage'];
  if (
    capacity !== undefined &&
    (known === undefined || size === undefined || !Quantity.parse(known).equals(Quantity.parse(size)))
  )
    status.capacity = capacity;
  if (volumeAttributesClassName !== undefined) status.currentVolumeAttributesClassName = volumeAttributesClassName;
  return status;
}
