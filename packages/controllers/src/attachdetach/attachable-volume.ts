import { createHash } from 'node:crypto';
import type { PersistentVolume, Volume } from '@kubechain/apimachinery/types/core/v1';
import type { CSIDriver } from '@kubechain/apimachinery/types/storage/v1';

/** A volume that has to be attached to a node before the node can mount it. */
export interface AttachableVolume {
  /** As nodes' statuses call it: `PLUGIN/NAME`. */
  readonly uniqueName: string;
  /** As events call it. */
  readonly name: string;
  /** It may be attached to several nodes at a time, as far as its access modes tell. */
  readonly multiAttach: boolean;
  /** Undefined: nobody is asked, it is attached at once. */
  readonly csi: { readonly driver: string; readonly volumeHandle: string } | undefined;
}

interface FibreChannel {
  readonly lun?: number;
  readonly targetWWNs?: readonly string[];
  readonly wwids?: readonly string[];
}

interface ISCSI {
  readonly iqn: string;
  readonly lun: number;
  readonly targetPortal: string;
}

/**
 * What of a persistent volume is to be attached; undefined for kinds that are not, and for CSI drivers that say so
 * (csiPlugin.CanAttach and its like, 1.36). Volumes that were part of Kubernetes once are not told by their drivers'
 * names, and so not attached.
 */
export function attachablePersistentVolume(
  { metadata, spec }: PersistentVolume,
  driverOf: (name: string) => CSIDriver | undefined,
): AttachableVolume | undefined {
  const modes = spec?.accessModes ?? [];
  const multiAttach = modes.length === 0 || modes.some((mode) => mode === 'ReadWriteMany' || mode === 'ReadOnlyMany');
  const common = { name: metadata?.name ?? '', multiAttach };
  const uniqueName = uniqueNameOf(spec ?? {});
  if (uniqueName === undefined) return undefined;
  if (spec?.csi === undefined) return { ...common, uniqueName, csi: undefined };
  const { driver, volumeHandle } = spec.csi;
  return driverOf(driver)?.spec.attachRequired === false
    ? undefined
    : { ...common, uniqueName, csi: { driver, volumeHandle } };
}

/** How a volume is called wherever it is used; undefined for kinds that are not attached. */
export function uniqueNameOf({ csi, ...others }: NonNullable<PersistentVolume['spec']>): string | undefined {
  return csi === undefined ? nameWithoutDriver(others) : `kubernetes.io/csi/${csi.driver}^${csi.volumeHandle}`;
}

/** The same for a volume that a pod describes itself. */
export function attachableInlineVolume(volume: Volume): AttachableVolume | undefined {
  const uniqueName = nameWithoutDriver(volume);
  return uniqueName === undefined ? undefined : { uniqueName, name: volume.name, multiAttach: true, csi: undefined };
}

/** The name of the VolumeAttachment for a volume of a CSI driver on a node (getAttachmentName, 1.36). */
export function attachmentName({ driver, volumeHandle }: NonNullable<AttachableVolume['csi']>, node: string): string {
  return `csi-${createHash('sha256').update(`${volumeHandle}${driver}${node}`).digest('hex')}`;
}

/** The driver and handle in a unique name; undefined for those of other plugins. */
export function csiOf(uniqueName: string): AttachableVolume['csi'] {
  const match = /^kubernetes\.io\/csi\/([^^]+)\^(.*)$/s.exec(uniqueName);
  return match === null ? undefined : { driver: match[1]!, volumeHandle: match[2]! };
}

/** Lists are written as Go prints them. */
function nameWithoutDriver({ fc, iscsi }: { readonly fc?: FibreChannel; readonly iscsi?: ISCSI }): string | undefined {
  if (iscsi !== undefined) return `kubernetes.io/iscsi/${iscsi.targetPortal}:${iscsi.iqn}:${iscsi.lun}`;
  if (fc === undefined) return undefined;
  const { lun, targetWWNs = [], wwids = [] } = fc;
  if (targetWWNs.length > 0 && lun !== undefined) return `kubernetes.io/fc/[${targetWWNs.join(' ')}]:${lun}`;
  return wwids.length === 0 ? undefined : `kubernetes.io/fc/[${wwids.join(' ')}]`;
}
