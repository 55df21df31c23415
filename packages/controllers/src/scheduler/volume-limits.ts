import type { PersistentVolume, PersistentVolumeClaim, Pod } from '@kubechain/apimachinery/types/core/v1';
import type { CSINode, VolumeAttachment } from '@kubechain/apimachinery/types/storage/v1';
import { claimsOf, classOfClaim, type ClassLookup } from '../volume/claim-facts.ts';
import type { NodeInfo } from './node-info.ts';

/** Looks up what volumes are, and what nodes say of theirs. */
export interface LimitsView {
  /** `key` is `namespace/name`. */
  claim(key: string): PersistentVolumeClaim | undefined;
  volume(name: string): PersistentVolume | undefined;
  readonly classOf: ClassLookup;
  csiNode(name: string): CSINode | undefined;
  attachedTo(node: string): readonly VolumeAttachment[];
}

/**
 * Whether a node would have more volumes of a driver with the pod than its CSINode allows (plugin NodeVolumeLimits,
 * 1.36). Volumes of the drivers that were once part of Kubernetes are not counted as those of their CSI drivers.
 */
export function exceedsVolumeLimits(pod: Pod, info: NodeInfo, view: LimitsView): boolean {
  const limits = new Map(
    (view.csiNode(info.name)?.spec?.drivers ?? []).flatMap(({ allocatable, name }) =>
      allocatable?.count === undefined ? [] : [[name, allocatable.count] as const],
    ),
  );
  if (limits.size === 0) return false;
  const wanted = volumesOf(pod, view);
  if (wanted.size === 0) return false;
  /** By unique name of the volume: its driver. */
  const there = new Map<string, string>();
  for (const { pod: other } of info.pods) for (const [name, driver] of volumesOf(other, view)) there.set(name, driver);
  for (const { spec } of view.attachedTo(info.name)) {
    const handle = view.volume(spec?.source?.persistentVolumeName ?? '')?.spec?.csi?.volumeHandle;
    if (handle !== undefined && spec !== undefined) there.set(`${spec.attacher}/${handle}`, spec.attacher);
  }
  return [...limits].some(([driver, limit]) => {
    const added = [...wanted].filter(([name, wants]) => wants === driver && !there.has(name)).length;
    return added > 0 && [...there.values()].filter((each) => each === driver).length + added > limit;
  });
}

/** By unique name: the driver. What is not there yet is counted by its claim. */
function volumesOf(pod: Pod, view: LimitsView): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { name } of claimsOf(pod)) {
    const key = `${pod.metadata?.namespace ?? ''}/${name}`;
    const claim = view.claim(key);
    if (claim === undefined) continue;
    const volume = view.volume(claim.spec?.volumeName ?? '');
    const driver = volume === undefined ? view.classOf(classOfClaim(claim))?.provisioner : volume.spec?.csi?.driver;
    if (driver === undefined || driver === '') continue;
    found.set(volume === undefined ? `${driver}/?${key}` : `${driver}/${volume.spec?.csi?.volumeHandle ?? ''}`, driver);
  }
  return found;
}
