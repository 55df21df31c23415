import { expect } from 'chai';
import { join } from 'node:path';
import { goModuleFolder, goTool } from '../../harness/go-tools.ts';
import type { KubectlList } from '../../kubectl/kubectl.ts';
import type { Cluster } from '../cluster.ts';
import { importImage, SHELL_IMAGE } from '../image.ts';
import { addProgram } from '../program-files.ts';

const DRIVER = 'csi.storage.example';
const CLASS = 'from-driver';
const IMAGE = 'docker.io/library/csi-driver:1';
/** Who upstream's manifest of the attacher gives its rights to. */
const ACCOUNT = 'csi-attacher';
const PLUGIN = `/var/lib/kubelet/plugins/${DRIVER}`;
const SOCKET = `${PLUGIN}/csi.sock`;
const within = '--timeout=90s';

/** The CSI driver of Kubernetes' own tests, with a provisioner of upstream's library and upstream's attacher. */
export function describeStorage(cluster: () => Cluster): void {
  const ok = (args: string): Promise<string> => cluster().kubectl.ok(args);
  const calls = async (): Promise<readonly string[]> =>
    (await ok('logs csi -c driver')).split('\n').map((line) => line.split(' ')[0] ?? '');
  const called = (...methods: readonly string[]): Promise<unknown> =>
    cluster().eventually(methods.join(', '), async () => {
      const made = await calls();
      return methods.every((method) => made.includes(method));
    });
  const none = (kind: string): Promise<unknown> =>
    cluster().eventually(`no ${kind}`, async () => {
      const { items } = await cluster().kubectl.json<KubectlList>(`get ${kind}`);
      return items.length === 0;
    });

  before(async function () {
    this.timeout(1_800_000);
    const driver = await goTool('csi-driver');
    const provisioner = await goTool('csi-provisioner');
    const attacher = await goTool('csi-attacher');
    await importImage(cluster().machine, {
      names: [IMAGE],
      fill: async (root) => {
        await addProgram(root, driver, '/csi-driver');
        await addProgram(root, provisioner, '/csi-provisioner');
        await addProgram(root, attacher, '/csi-attacher');
      },
      config: {},
    });
    const sources = await goModuleFolder('github.com/kubernetes-csi/external-attacher/v4', 'clients/csi');
    await ok(`apply -f ${join(sources, 'deploy/kubernetes/rbac.yaml')}`);
    await cluster().apply(...provisionerRights(), csiDriver(), storageClass(), driverPod());
    await ok(`wait pod/csi --for=condition=Ready ${within}`);
  });

  it('is known to the node', async () => {
    await cluster().eventually('the driver', async () =>
      (await ok('get csinode node-a -o jsonpath={.spec.drivers[*].name}')).includes(DRIVER),
    );
  });

  it('makes a volume for a claim, attaches and mounts it', async () => {
    await cluster().apply(volumeClaim('kept'), volumePod('writer', { persistentVolumeClaim: { claimName: 'kept' } }));
    await ok(`wait pod/writer --for=condition=Ready ${within}`);
    const volume = await ok('get pvc kept -o jsonpath={.spec.volumeName}');
    expect(await ok(`get pv ${volume} -o jsonpath={.spec.csi.driver}`)).to.equal(DRIVER);
    const attachments = await cluster().kubectl.json<KubectlList>('get volumeattachments');
    expect(attachments.items).to.have.length(1);
    expect(attachments.items[0]?.spec).to.deep.include({ attacher: DRIVER, nodeName: 'node-a' });
    expect(attachments.items[0]?.status?.['attached']).to.equal(true);
    await called('ControllerPublishVolume', 'NodeStageVolume', 'NodePublishVolume');
  });

  it('unmounts and detaches it when its pod goes, and has it ready for another', async () => {
    await ok(`delete pod writer --wait ${within}`);
    await called('NodeUnpublishVolume', 'NodeUnstageVolume', 'ControllerUnpublishVolume');
    await none('volumeattachments');
    await cluster().apply(volumePod('reader', { persistentVolumeClaim: { claimName: 'kept' } }));
    await ok(`wait pod/reader --for=condition=Ready ${within}`);
    await ok(`delete pod reader --wait ${within}`);
  });

  it('deletes it with its claim', async () => {
    await ok(`delete pvc kept --wait ${within}`);
    await none('persistentvolumes');
    await called('DeleteVolume');
  });

  it('makes volumes that go with their pods', async () => {
    const spec = {
      accessModes: ['ReadWriteOnce'],
      storageClassName: CLASS,
      resources: { requests: { storage: '1Mi' } },
    };
    await cluster().apply(volumePod('short', { ephemeral: { volumeClaimTemplate: { spec } } }));
    await ok(`wait pod/short --for=condition=Ready ${within}`);
    await ok(`delete pod short --wait ${within}`);
    await none('persistentvolumeclaims');
    await none('persistentvolumes');
    await none('volumeattachments');
  });
}

function provisionerRights(): readonly object[] {
  const group = 'rbac.authorization.k8s.io';
  const metadata = { name: 'provisioner' };
  const all = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];
  return [
    {
      apiVersion: `${group}/v1`,
      kind: 'ClusterRole',
      metadata,
      rules: [
        { apiGroups: [''], resources: ['persistentvolumes', 'persistentvolumeclaims', 'events'], verbs: all },
        { apiGroups: ['storage.k8s.io'], resources: ['storageclasses'], verbs: all.slice(0, 3) },
        { apiGroups: [''], resources: ['nodes'], verbs: all.slice(0, 3) },
      ],
    },
    {
      apiVersion: `${group}/v1`,
      kind: 'ClusterRoleBinding',
      metadata,
      roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'provisioner' },
      subjects: [{ kind: 'ServiceAccount', name: ACCOUNT, namespace: 'default' }],
    },
  ];
}

function csiDriver(): object {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIDriver',
    metadata: { name: DRIVER },
    spec: { attachRequired: true, podInfoOnMount: true },
  };
}

function storageClass(): object {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: CLASS },
    provisioner: DRIVER,
    volumeBindingMode: 'WaitForFirstConsumer',
  };
}

/** The driver and its registrar in one container, the provisioner and the attacher beside it. */
function driverPod(): object {
  const kubelet = '/var/lib/kubelet';
  const container = { image: IMAGE, volumeMounts: [{ name: 'plugin', mountPath: PLUGIN }] };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'csi' },
    spec: {
      serviceAccountName: ACCOUNT,
      terminationGracePeriodSeconds: 1,
      containers: [
        {
          ...container,
          name: 'driver',
          command: ['/csi-driver', DRIVER, SOCKET, `${kubelet}/plugins_registry`],
          securityContext: { privileged: true },
          volumeMounts: [
            ...container.volumeMounts,
            { name: 'kubelet', mountPath: kubelet, mountPropagation: 'Bidirectional' },
          ],
        },
        { ...container, name: 'provisioner', command: ['/csi-provisioner', DRIVER, SOCKET] },
        { ...container, name: 'attacher', command: ['/csi-attacher', `--csi-address=${SOCKET}`, '--v=5'] },
      ],
      volumes: [
        { name: 'plugin', hostPath: { path: PLUGIN, type: 'DirectoryOrCreate' } },
        { name: 'kubelet', hostPath: { path: kubelet, type: 'Directory' } },
      ],
    },
  };
}

function volumeClaim(name: string): object {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], storageClassName: CLASS, resources: { requests: { storage: '1Mi' } } },
  };
}

/** A pod that is ready when it has written into its volume. */
function volumePod(name: string, source: Readonly<Record<string, unknown>>): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: {
      terminationGracePeriodSeconds: 1,
      containers: [
        {
          name: 'main',
          image: SHELL_IMAGE,
          command: ['sh', '-c', 'touch /volume/here && sleep 3600'],
          readinessProbe: { exec: { command: ['ls', '/volume/here'] }, periodSeconds: 1 },
          volumeMounts: [{ name: 'volume', mountPath: '/volume' }],
        },
      ],
      volumes: [{ name: 'volume', ...source }],
    },
  };
}
