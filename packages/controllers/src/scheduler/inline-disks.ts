import type { Pod, Volume } from '@kubechain/apimachinery/types/core/v1';

/** The disks that a pod names itself and that only one may write to (plugin VolumeRestrictions, 1.36). */
export function inlineDisksOf({ spec }: Pod): readonly Volume[] {
  return (spec?.volumes ?? []).filter(
    ({ awsElasticBlockStore, gcePersistentDisk, iscsi, rbd }) =>
      (awsElasticBlockStore ?? gcePersistentDisk ?? iscsi ?? rbd) !== undefined,
  );
}

/** Whether two volumes cannot be used on one node at a time. */
export function disksClash(one: Volume, other: Volume): boolean {
  const [gce, otherGce] = [one.gcePersistentDisk, other.gcePersistentDisk];
  if (gce !== undefined && gce.pdName === otherGce?.pdName)
    return !(gce.readOnly === true && otherGce.readOnly === true);
  const [aws, otherAws] = [one.awsElasticBlockStore, other.awsElasticBlockStore];
  if (aws !== undefined && aws.volumeID === otherAws?.volumeID) return true;
  const [iscsi, otherIscsi] = [one.iscsi, other.iscsi];
  if (iscsi !== undefined && iscsi.iqn === otherIscsi?.iqn)
    return !(iscsi.readOnly === true && otherIscsi.readOnly === true);
  const [rbd, otherRBD] = [one.rbd, other.rbd];
  return (
    rbd !== undefined &&
    otherRBD !== undefined &&
    rbd.monitors.some((monitor) => otherRBD.monitors.includes(monitor)) &&
    (rbd.pool ?? '') === (otherRBD.pool ?? '') &&
    rbd.image === otherRBD.image &&
    !(rbd.readOnly === true && otherRBD.readOnly === true)
  );
}
