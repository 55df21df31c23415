import type { PersistentVolume } from '@kubechain/apimachinery/types/core/v1';

/** A kind of volume that was part of Kubernetes once: its plugin's name, and the CSI driver that has its work now. */
export interface MigratedPlugin {
  readonly plugin: string;
  readonly driver: string;
}

/** By member of a volume's spec (csi-translation-lib, 1.36). */
const plugins: Readonly<Record<string, MigratedPlugin>> = {
  awsElasticBlockStore: { plugin: 'kubernetes.io/aws-ebs', driver: 'ebs.csi.aws.com' },
  azureDisk: { plugin: 'kubernetes.io/azure-disk', driver: 'disk.csi.azure.com' },
  azureFile: { plugin: 'kubernetes.io/azure-file', driver: 'file.csi.azure.com' },
  cinder: { plugin: 'kubernetes.io/cinder', driver: 'cinder.csi.openstack.org' },
  gcePersistentDisk: { plugin: 'kubernetes.io/gce-pd', driver: 'pd.csi.storage.gke.io' },
  portworxVolume: { plugin: 'kubernetes.io/portworx-volume', driver: 'pxd.portworx.com' },
  vsphereVolume: { plugin: 'kubernetes.io/vsphere-volume', driver: 'csi.vsphere.vmware.com' },
};

/** Undefined for a volume of another kind. */
export function migratedPluginOf({ spec }: PersistentVolume): MigratedPlugin | undefined {
  return Object.entries(plugins).find(([member]) => spec !== undefined && member in spec)?.[1];
}
