import type { PersistentVolume, PersistentVolumeClaim, Pod } from '@kubechain/apimachinery/types/core/v1';
import { resources } from '../client/resources.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import { keyOf } from '../informers/object-key.ts';
import { claimKeysOf, claimsOf, foreignClaimProblem } from './claim-facts.ts';
import { FinalizerProtection } from './finalizer-protection.ts';

const podsByClaim = 'claims of pods';
const byAttributes = 'classes of attributes';

/** Volumes stay as long as a claim has them (pkg/controller/volume/pvprotection, 1.36). */
export function newVolumeProtection(context: ControllerContext): Controller {
  return new FinalizerProtection(context, {
    type: resources.persistentvolumes,
    finalizer: 'kubernetes.io/pv-protection',
    queue: 'pvprotection',
    isUsed: ({ status }) => status?.phase === 'Bound',
  });
}

/** Claims stay as long as a pod on a node uses them (pkg/controller/volume/pvcprotection, 1.36). */
export function newClaimProtection(context: ControllerContext): Controller {
  const pods = context.informers.informer(resources.pods);
  pods.addIndex(podsByClaim, claimKeysOf);
  const protection = new FinalizerProtection(context, {
    type: resources.persistentvolumeclaims,
    finalizer: 'kubernetes.io/pvc-protection',
    queue: 'pvcprotection',
    informers: [pods],
    isUsed: async (claim) => {
      if (pods.byIndex(podsByClaim, keyOf(claim)).some((pod) => uses(pod, claim))) return true;
      // The informer may not show a pod yet that the server has let in.
      let used = false;
      await context.client.resource(resources.pods).each({ namespace: claim.metadata?.namespace }, (pod) => {
        used ||= uses(pod, claim);
      });
      return used;
    },
  });
  const check = (pod: Pod): void => {
    for (const key of claimKeysOf(pod)) protection.check(key);
  };
  pods.addHandlers({
    onDelete: check,
    onUpdate: (pod, before) => {
      if (isShutDown(pod)) check(pod);
      if (pod.metadata?.uid !== before.metadata?.uid) check(before);
    },
  });
  return protection;
}

/** Classes of attributes stay as long as a claim or a volume has, or is to have, them (volume/vacprotection, 1.36). */
export function newAttributesClassProtection(context: ControllerContext): Controller {
  const claims = context.informers.informer(resources.persistentvolumeclaims);
  const volumes = context.informers.informer(resources.persistentvolumes);
  claims.addIndex(byAttributes, attributesOfClaim);
  volumes.addIndex(byAttributes, attributesOfVolume);
  const protection = new FinalizerProtection(context, {
    type: resources.volumeattributesclasses,
    finalizer: 'kubernetes.io/vac-protection',
    queue: 'vacprotection',
    informers: [claims, volumes],
    isUsed: ({ metadata }) =>
      [claims, volumes].some((informer) => informer.byIndex(byAttributes, metadata?.name ?? '').length > 0),
  });
  const check = (names: readonly string[]): void => names.forEach((name) => protection.check(name));
  claims.addHandlers({
    onUpdate: (after, before) =>
      check([...new Set(attributesOfClaim(before)).difference(new Set(attributesOfClaim(after)))]),
    onDelete: (claim) => check(attributesOfClaim(claim)),
  });
  volumes.addHandlers({
    onUpdate: (after, before) =>
      check([...new Set(attributesOfVolume(before)).difference(new Set(attributesOfVolume(after)))]),
    onDelete: (volume) => check(attributesOfVolume(volume)),
  });
  return protection;
}

function attributesOfClaim({ spec, status }: PersistentVolumeClaim): readonly string[] {
  const names = [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ];
  return [...new Set(names.filter((name) => name !== undefined && name !== ''))] as readonly string[];
}

function attributesOfVolume({ spec }: PersistentVolume): readonly string[] {
  const name = spec?.volumeAttributesClassName ?? '';
  return name === '' ? [] : [name];
}

/** Only pods on nodes count: no kubelet starts one whose claim is being deleted. */
function uses(pod: Pod, claim: PersistentVolumeClaim): boolean {
  return (
    (pod.spec?.nodeName ?? '') !== '' &&
    claimsOf(pod).some(
      ({ ephemeral, name }) =>
        name === claim.metadata?.name &&
        (!ephemeral || (!isShutDown(pod) && foreignClaimProblem(claim, pod) === undefined)),
    )
  );
}

/** Its kubelet is done with it, or it was deleted by force. */
function isShutDown({ metadata }: Pod): boolean {
  return metadata?.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds === 0;
}
