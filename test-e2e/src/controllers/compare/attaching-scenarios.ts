import type { KubeObject } from '@kubechain/apimachinery';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import type { VolumeAttachment } from '@kubechain/apimachinery/types/storage/v1';
import { resources, type ResourceType } from '@kubechain/controllers';
import { eventually } from '../live-cluster.ts';
import type { Scenario, Stage } from './scenarios.ts';

const patient = { withinMs: 60_000 };
/** Its attacher is played. */
const playedDriver = 'volumes.simulation.kubechain.dev';
/** Nobody attaches for it but scenarios. */
const ownDriver = 'own.example.com';

const name = ({ namespace }: Stage, of: string): string => `${of}--${namespace}`;

function make<T extends object>({ client, namespace }: Stage, type: ResourceType<T>, object: object): Promise<T> {
  const { metadata, ...rest } = object as KubeObject;
  return client
    .resource(type)
    .create({ metadata: { ...(type.namespaced ? { namespace } : {}), ...metadata }, ...rest } as T);
}

async function makeNode(stage: Stage, of: string): Promise<string> {
  const node = name(stage, of);
  await make(stage, resources.nodes, {
    metadata: {
      name: node,
      annotations: {
        'kwok.x-k8s.io/node': 'fake',
        'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
      },
    },
    // Schedulers are to leave it alone.
    spec: { unschedulable: true },
  });
  await eventually(async () => {
    const { status } = await stage.client.resource(resources.nodes).get({ name: node });
    return status?.conditions?.some(({ status: is, type }) => type === 'Ready' && is === 'True');
  }, patient);
  return node;
}

/** A volume of a source, and a claim `claim` that has it. */
async function makeVolume(stage: Stage, source: object, accessModes: readonly string[]): Promise<string> {
  const volume = name(stage, 'volume');
  const capacity = { storage: '1Gi' };
  await make(stage, resources.persistentvolumes, {
    metadata: { name: volume },
    spec: {
      capacity,
      accessModes,
      storageClassName: 'none',
      persistentVolumeReclaimPolicy: 'Retain',
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace: stage.namespace, name: 'claim' },
      ...source,
    },
  });
  await make(stage, resources.persistentvolumeclaims, {
    metadata: { name: 'claim' },
    spec: { accessModes, storageClassName: 'none', volumeName: volume, resources: { requests: capacity } },
  });
  await eventually(async () => {
    const at = { namespace: stage.namespace, name: 'claim' };
    return (await stage.client.resource(resources.persistentvolumeclaims).get(at)).status?.phase === 'Bound';
  }, patient);
  return volume;
}

const csi = ({ namespace }: Stage, driver = playedDriver): object => ({
  csi: { driver, volumeHandle: `handle--${namespace}` },
});

function makePod(stage: Stage, of: string, nodeName: string, more: object = {}): Promise<Pod> {
  return make(stage, resources.pods, {
    metadata: { name: of },
    spec: {
      nodeName,
      terminationGracePeriodSeconds: 0,
      tolerations: [{ operator: 'Exists' }],
      containers: [{ name: 'c', image: 'web:1', volumeMounts: [{ name: 'data', mountPath: '/data' }] }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'claim' } }],
      ...more,
    },
  });
}

async function attachments({ client }: Stage, volume: string): Promise<readonly VolumeAttachment[]> {
  const { items } = await client.resource(resources.volumeattachments).list();
  return items
    .filter(({ spec }) => spec.source.persistentVolumeName === volume)
    .toSorted((a, b) => (a.spec.nodeName < b.spec.nodeName ? -1 : 1));
}

/** What is of no namespace is kept in one, to be compared: attachments of the volume, and what nodes say. */
async function keep(stage: Stage, as: string, nodes: readonly string[]): Promise<void> {
  const { client } = stage;
  const data: Record<string, string> = {};
  for (const [i, { metadata, spec, status }] of (await attachments(stage, name(stage, 'volume'))).entries())
    data[`attachment-${i}`] = JSON.stringify({ ...spec, attached: status?.attached, length: metadata?.name?.length });
  for (const node of nodes) {
    const { volumesAttached = [], volumesInUse = [] } =
      (await client.resource(resources.nodes).get({ name: node })).status ?? {};
    data[node.slice(0, node.indexOf('--'))] = JSON.stringify({ volumesAttached, volumesInUse });
  }
  await make(stage, resources.configmaps, { metadata: { name: as }, data });
}

/** Waits until a node says that it has so many volumes. */
async function nodeHas({ client }: Stage, node: string, count: number): Promise<void> {
  await eventually(async () => {
    const { volumesAttached = [], volumesInUse = [] } =
      (await client.resource(resources.nodes).get({ name: node })).status ?? {};
    return volumesAttached.length === count && volumesInUse.length === count;
  }, patient);
}

async function told({ client, namespace }: Stage, pod: string, reason: string): Promise<void> {
  await eventually(async () => {
    const fieldSelector = `involvedObject.name=${pod},reason=${reason}`;
    return (await client.resource(resources.events).list({ namespace, fieldSelector })).items.length > 0;
  }, patient);
}

async function deletePod({ client, namespace }: Stage, of: string): Promise<void> {
  await client.resource(resources.pods).delete({ namespace, name: of });
}

/** A claim with a device of a pool of this scenario's, used by a pod of a name. */
async function makeDevicePod(
  stage: Stage,
  node: string,
  {
    device,
    of,
    tolerations = [],
  }: { readonly of: string; readonly device: string; readonly tolerations?: readonly object[] },
): Promise<void> {
  const { client, namespace } = stage;
  const claim = await make(stage, resources.resourceclaims, {
    metadata: { name: of },
    spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'any', tolerations } }] } },
  });
  const pod = await makePod(stage, of, node, {
    containers: [{ name: 'c', image: 'web:1', resources: { claims: [{ name: 'd' }] } }],
    volumes: [],
    resourceClaims: [{ name: 'd', resourceClaimName: of }],
  });
  const driver = 'devices.example.com';
  await client.resource(resources.resourceclaims).updateStatus({
    ...claim,
    status: {
      allocation: { devices: { results: [{ request: 'r', driver, pool: namespace, device, tolerations }] } },
      reservedFor: [{ resource: 'pods', name: of, uid: pod.metadata?.uid ?? '' }],
    },
  } as typeof claim);
}

function makeSlice(stage: Stage, node: string, devices: readonly object[]): Promise<KubeObject> {
  return make(stage, resources.resourceslices, {
    metadata: { name: name(stage, 'slice') },
    spec: {
      driver: 'devices.example.com',
      pool: { name: stage.namespace, generation: 1, resourceSliceCount: 1 },
      nodeName: node,
      devices,
    },
  });
}

const noExecute = { key: 'example.com/broken', value: 'yes', effect: 'NoExecute' };
const tolerated = (tolerationSeconds?: number): object => ({
  key: noExecute.key,
  operator: 'Exists',
  effect: 'NoExecute',
  ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
});

const gone = ({ client, namespace }: Stage, pod: string): Promise<unknown> =>
  eventually(async () => {
    const { items } = await client.resource(resources.pods).list({ namespace });
    return items.every(({ metadata }) => metadata?.name !== pod);
  }, patient);

const labelled = (level: string): object => ({ securityContext: { seLinuxOptions: { level } } });

/** What happens to volumes and devices that pods on nodes have. */
export const attachingScenarios: readonly Scenario[] = [
  {
    name: 'volumes: attached for a pod, and detached after it',
    play: async (stage) => {
      const node = await makeNode(stage, 'one');
      await makeVolume(stage, csi(stage), ['ReadWriteOnce']);
      await makePod(stage, 'user', node);
      await told(stage, 'user', 'SuccessfulAttachVolume');
      await nodeHas(stage, node, 1);
      await keep(stage, 'attached', [node]);
      await deletePod(stage, 'user');
      await eventually(async () => (await attachments(stage, name(stage, 'volume'))).length === 0, patient);
      await nodeHas(stage, node, 0);
      await keep(stage, 'detached', [node]);
    },
  },
  {
    name: 'volumes: one that only one node may have moves',
    play: async (stage) => {
      const [one, other] = [await makeNode(stage, 'one'), await makeNode(stage, 'other')];
      await makeVolume(stage, csi(stage), ['ReadWriteOnce']);
      await makePod(stage, 'first', one);
      await told(stage, 'first', 'SuccessfulAttachVolume');
      await makePod(stage, 'second', other);
      await told(stage, 'second', 'FailedAttachVolume');
      await keep(stage, 'first', [one]);
      await deletePod(stage, 'first');
      await told(stage, 'second', 'SuccessfulAttachVolume');
      await nodeHas(stage, other, 1);
      await keep(stage, 'second', [one, other]);
    },
  },
  {
    name: 'volumes: one that many nodes may have',
    play: async (stage) => {
      const nodes = [await makeNode(stage, 'one'), await makeNode(stage, 'other')];
      await makeVolume(stage, csi(stage), ['ReadWriteMany']);
      for (const [i, node] of nodes.entries()) await makePod(stage, `pod-${i}`, node);
      for (const node of nodes) await nodeHas(stage, node, 1);
      await keep(stage, 'both', nodes);
    },
  },
  {
    name: 'volumes: a driver that fails, and then does not',
    play: async (stage) => {
      const { client } = stage;
      const node = await makeNode(stage, 'one');
      const volume = await makeVolume(stage, csi(stage, ownDriver), ['ReadWriteOnce']);
      await makePod(stage, 'user', node);
      const attachment = await eventually(async () => (await attachments(stage, volume))[0], patient);
      const answer = (status: object): Promise<unknown> =>
        client
          .resource(resources.volumeattachments)
          .patch({ name: attachment.metadata?.name ?? '' }, { status }, { subresource: 'status' });
      await answer({ attached: false, attachError: { message: 'no slot is free' } });
      await told(stage, 'user', 'FailedAttachVolume');
      await answer({ attached: true, attachError: null });
      await told(stage, 'user', 'SuccessfulAttachVolume');
      await nodeHas(stage, node, 1);
      await keep(stage, 'attached', [node]);
    },
  },
  {
    name: 'volumes: a driver that attaches nothing',
    play: async (stage) => {
      const driver = `plain--${stage.namespace}`;
      await make(stage, resources.csidrivers, { metadata: { name: driver }, spec: { attachRequired: false } });
      const node = await makeNode(stage, 'one');
      await makeVolume(stage, csi(stage, driver), ['ReadWriteOnce']);
      await makePod(stage, 'user', node);
      // Another volume shows when this one has been looked at.
      await makePod(stage, 'witness', node, {
        volumes: [{ name: 'data', iscsi: { targetPortal: '10.0.0.1:3260', iqn: 'iqn.2026-01.com.example:a', lun: 0 } }],
      });
      await told(stage, 'witness', 'SuccessfulAttachVolume');
      await nodeHas(stage, node, 1);
      await keep(stage, 'attached', [node]);
    },
  },
  {
    name: 'volumes: a node that leaves them to others',
    play: async (stage) => {
      const unmanaged = name(stage, 'unmanaged');
      await make(stage, resources.nodes, {
        metadata: { name: unmanaged, annotations: { 'kwok.x-k8s.io/node': 'fake' } },
        spec: { unschedulable: true },
      });
      const node = await makeNode(stage, 'one');
      await makeVolume(stage, csi(stage), ['ReadWriteMany']);
      await makePod(stage, 'unattended', unmanaged);
      await makePod(stage, 'user', node);
      await told(stage, 'user', 'SuccessfulAttachVolume');
      await nodeHas(stage, node, 1);
      await keep(stage, 'attached', [node, unmanaged]);
    },
  },
  {
    name: 'devices: pods leave those with taints, as they tolerate them',
    play: async (stage) => {
      const node = await makeNode(stage, 'one');
      await makeDevicePod(stage, node, { of: 'leaving', device: 'broken' });
      await makeDevicePod(stage, node, { of: 'staying', device: 'broken', tolerations: [tolerated()] });
      await makeDevicePod(stage, node, { of: 'later', device: 'broken', tolerations: [tolerated(2)] });
      await makeDevicePod(stage, node, { of: 'healthy', device: 'sound' });
      await makeSlice(stage, node, [{ name: 'broken', taints: [noExecute] }, { name: 'sound' }]);
      await gone(stage, 'leaving');
      await gone(stage, 'later');
    },
  },
  {
    name: 'devices: a taint that goes in time',
    play: async (stage) => {
      const node = await makeNode(stage, 'one');
      await makeDevicePod(stage, node, { of: 'patient', device: 'broken', tolerations: [tolerated(300)] });
      await makeDevicePod(stage, node, { of: 'witness', device: 'other' });
      const taints = [noExecute];
      const slice = await makeSlice(stage, node, [
        { name: 'broken', taints },
        { name: 'other', taints },
      ]);
      await gone(stage, 'witness');
      const slices = stage.client.resource(resources.resourceslices);
      const now = await slices.get({ name: slice.metadata?.name ?? '' });
      await slices.update({ ...now, spec: { ...now.spec, devices: [{ name: 'broken' }, { name: 'other' }] } });
      await told(stage, 'patient', 'DeviceTaintManagerEviction');
    },
  },
  {
    name: 'SELinux: two pods with different levels on one volume',
    play: async (stage) => {
      const node = await makeNode(stage, 'one');
      const iscsi = { targetPortal: '10.0.0.2:3260', iqn: `iqn.2026-01.com.example:${stage.namespace}`, lun: 1 };
      await makeVolume(stage, { iscsi }, ['ReadWriteOnce']);
      await makePod(stage, 'one', node, labelled('s0:c1,c2'));
      await told(stage, 'one', 'SuccessfulAttachVolume');
      await makePod(stage, 'other', node, labelled('s0:c3,c4'));
      await told(stage, 'other', 'SELinuxLabelConflict');
      await told(stage, 'one', 'SELinuxLabelConflict');
    },
  },
  {
    name: 'SELinux: another policy, and a volume of two levels in one pod',
    play: async (stage) => {
      const node = await makeNode(stage, 'one');
      const iscsi = { targetPortal: '10.0.0.3:3260', iqn: `iqn.2026-01.com.example:${stage.namespace}`, lun: 2 };
      await makeVolume(stage, { iscsi }, ['ReadWriteOnce']);
      await makePod(stage, 'one', node, labelled('s0:c1,c2'));
      await told(stage, 'one', 'SuccessfulAttachVolume');
      await makePod(stage, 'recursive', node, {
        securityContext: { seLinuxOptions: { level: 's0:c1,c2' }, seLinuxChangePolicy: 'Recursive' },
      });
      await told(stage, 'one', 'SELinuxChangePolicyConflict');
      const mounted = { image: 'web:1', volumeMounts: [{ name: 'data', mountPath: '/data' }] };
      await makePod(stage, 'double', node, {
        containers: [
          { name: 'a', ...mounted, ...labelled('s0:c1,c2') },
          { name: 'b', ...mounted, ...labelled('s0:c5,c6') },
        ],
        volumes: [{ name: 'data', emptyDir: {} }],
      });
      await told(stage, 'double', 'MultipleSELinuxLabels');
    },
  },
];
