/** Folders of nodes that are volumes. */
export const VOLUMES = Array.from({ length: 8 }, (_, index) => `/var/volumes/${index}`);

const CLASS = 'standard';

function list(...items: readonly object[]): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

/** Files of a node: what kind applies to a new cluster, and the network of its pods. JSON is YAML. */
export const MANIFESTS: Readonly<Record<string, string>> = {
  // Of one node: nothing has to run for it.
  'etc/cni/net.d/10-bridge.conflist': JSON.stringify({
    cniVersion: '0.4.0',
    name: 'pods',
    plugins: [
      {
        type: 'bridge',
        bridge: 'pods0',
        isDefaultGateway: true,
        ipMasq: true,
        hairpinMode: true,
        ipam: { type: 'host-local', ranges: [[{ subnet: '10.244.0.0/24' }]] },
      },
      { type: 'portmap', capabilities: { portMappings: true } },
    ],
  }),
  'kind/manifests/default-cni.yaml': list({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'network', namespace: 'kube-system' },
    data: { network: 'a bridge, which the image of the node configures' },
  }),
  // Claims get folders of the node that are there.
  'kind/manifests/default-storage.yaml': list(
    {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: { name: CLASS, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
      provisioner: 'kubernetes.io/no-provisioner',
      volumeBindingMode: 'WaitForFirstConsumer',
    },
    ...VOLUMES.map((path, index) => ({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: `folder-${index}` },
      spec: {
        storageClassName: CLASS,
        capacity: { storage: '8Gi' },
        accessModes: ['ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Retain',
        local: { path },
        nodeAffinity: {
          required: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/os', operator: 'Exists' }] }] },
        },
      },
    })),
  ),
};
