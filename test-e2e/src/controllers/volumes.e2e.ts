import { expect } from 'chai';
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '@kubechain/apimachinery/types/core/v1';
import { resources } from '@kubechain/controllers';
import { eventually, startLiveCluster, type LiveCluster } from './live-cluster.ts';

const patient = { withinMs: 60_000 };
const namespace = 'default';

describe('volumes of a cluster whose nodes are played', () => {
  let cluster: LiveCluster;
  before(async () => {
    cluster = await startLiveCluster({
      controllers: ['storage', 'nodes', 'serviceaccount', 'garbagecollector'],
      controllerFlags: (defaults) => ({ ...defaults, simulation: { ...defaults.simulation, nodes: 2 } }),
    });
    await eventually(
      () => cluster.client.resource(resources.serviceaccounts).get({ namespace, name: 'default' }),
      patient,
    );
    await eventually(() => cluster.client.resource(resources.storageclasses).get({ name: 'standard' }), patient);
  });
  after(() => cluster.stop());

  const claims = () => cluster.client.resource(resources.persistentvolumeclaims);
  const volumes = () => cluster.client.resource(resources.persistentvolumes);
  const pods = () => cluster.client.resource(resources.pods);
  const claim = (name: string, spec: object = {}): PersistentVolumeClaim =>
    ({
      metadata: { namespace, name },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
    }) as PersistentVolumeClaim;
  const volume = (name: string, spec: object = {}): PersistentVolume =>
    ({
      metadata: { name },
      spec: {
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '2Gi' },
        hostPath: { path: `/tmp/${name}` },
        ...spec,
      },
    }) as PersistentVolume;
  const pod = (name: string, claimName: string): Pod =>
    ({
      metadata: { namespace, name },
      spec: {
        containers: [{ name: 'c', image: 'web:1' }],
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
      },
    }) as Pod;
  const claimIs = (name: string, phase: string): Promise<PersistentVolumeClaim> =>
    eventually(async () => {
      const found = await claims().get({ namespace, name });
      return found.status?.phase === phase ? found : undefined;
    }, patient);
  const volumeIs = (name: string, phase: string): Promise<PersistentVolume> =>
    eventually(async () => {
      const found = await volumes().get({ name });
      return found.status?.phase === phase ? found : undefined;
    }, patient);
  const gone = (get: () => Promise<unknown>): Promise<true> =>
    eventually(
      async () =>
        get().then(
          () => undefined,
          () => true as const,
        ),
      patient,
    );
  const runs = (name: string): Promise<Pod> =>
    eventually(async () => {
      const found = await pods().get({ namespace, name });
      return found.status?.phase === 'Running' ? found : undefined;
    }, patient);
  const eventsOf = async (name: string): Promise<string[]> =>
    (
      await cluster.client.resource(resources.events).list({ namespace, fieldSelector: `involvedObject.name=${name}` })
    ).items.map(({ message = '', reason = '' }) => `${reason}: ${message}`);

  it('are made for claims at once, grow with them, and go with them', async () => {
    await claims().create(claim('fresh'));
    const bound = await claimIs('fresh', 'Bound');
    const name = `pvc-${bound.metadata?.uid ?? ''}`;
    expect(bound.spec).to.include({ volumeName: name, storageClassName: 'standard' });
    expect(bound.status?.capacity).to.deep.equal({ storage: '1Gi' });
    await eventually(
      async () => (await eventsOf('fresh')).includes(`ProvisioningSucceeded: Successfully provisioned volume ${name}`),
      patient,
    );
    await claims().patch({ namespace, name: 'fresh' }, { spec: { resources: { requests: { storage: '3Gi' } } } });
    await eventually(
      async () => (await claims().get({ namespace, name: 'fresh' })).status?.capacity?.['storage'] === '3Gi',
      patient,
    );
    await claims().delete({ namespace, name: 'fresh' });
    await gone(() => volumes().get({ name }));
  });
  it('that were made by hand are bound by size and class, and are released by their policy', async () => {
    await volumes().create(volume('kept', { persistentVolumeReclaimPolicy: 'Retain', storageClassName: 'manual' }));
    await volumes().create(
      volume('large', {
        persistentVolumeReclaimPolicy: 'Delete',
        storageClassName: 'manual',
        capacity: { storage: '9Gi' },
      }),
    );
    await Promise.all(['kept', 'large'].map((name) => volumeIs(name, 'Available')));
    await claims().create(claim('small', { storageClassName: 'manual' }));
    await claims().create(claim('big', { storageClassName: 'manual', resources: { requests: { storage: '5Gi' } } }));
    const [small, big] = await Promise.all([claimIs('small', 'Bound'), claimIs('big', 'Bound')]);
    expect([small.spec?.volumeName, big.spec?.volumeName]).to.deep.equal(['kept', 'large']);
    expect(small.status?.capacity).to.deep.equal({ storage: '2Gi' });
    for (const name of ['small', 'big']) await claims().delete({ namespace, name });
    await volumeIs('kept', 'Released');
    await gone(() => volumes().get({ name: 'large' }));
  });
  it('of one node wait for a pod, and take it there', async () => {
    await cluster.client.resource(resources.storageclasses).create({
      metadata: { name: 'local' },
      provisioner: 'kubernetes.io/no-provisioner',
      volumeBindingMode: 'WaitForFirstConsumer',
    });
    await claims().create(claim('late', { storageClassName: 'local' }));
    await eventually(
      async () =>
        (await eventsOf('late')).includes(
          'WaitForFirstConsumer: waiting for first consumer to be created before binding',
        ),
      patient,
    );
    await pods().create(pod('reader', 'late'));
    const condition = await eventually(
      async () =>
        (await pods().get({ namespace, name: 'reader' })).status?.conditions?.find(
          ({ reason }) => reason === 'Unschedulable',
        ),
      patient,
    );
    expect(condition.message).to.equal(
      "0/2 nodes are available: 2 node(s) didn't find available persistent volumes to bind. no new claims to " +
        'deallocate, preemption: 0/2 ' +
        'nodes are available: 2 Preemption is not helpful for scheduling.',
    );
    const nodeAffinity = {
      required: {
        nodeSelectorTerms: [
          { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['node-1'] }] },
        ],
      },
    };
    await volumes().create(
      volume('disk', { storageClassName: 'local', hostPath: undefined, local: { path: '/d' }, nodeAffinity }),
    );
    expect((await runs('reader')).spec?.nodeName).to.equal('node-1');
    expect((await claimIs('late', 'Bound')).spec?.volumeName).to.equal('disk');
  });
  it('stay as long as a pod uses them', async () => {
    await claims().delete({ namespace, name: 'late' });
    await volumes().delete({ name: 'disk' });
    const [held, kept] = await Promise.all([
      claims().get({ namespace, name: 'late' }),
      volumes().get({ name: 'disk' }),
    ]);
    expect([held, kept].map(({ metadata }) => metadata?.finalizers)).to.deep.equal([
      ['kubernetes.io/pvc-protection'],
      ['kubernetes.io/pv-protection'],
    ]);
    await pods().delete({ namespace, name: 'reader' });
    await gone(() => claims().get({ namespace, name: 'late' }));
    await gone(() => volumes().get({ name: 'disk' }));
  });
  it('are made for a pod that brings its claim along, on the node that was chosen for it', async () => {
    await cluster.client.resource(resources.storageclasses).create({
      metadata: { name: 'made-late' },
      provisioner: 'volumes.simulation.kubechain.dev',
      volumeBindingMode: 'WaitForFirstConsumer',
    });
    const { spec } = claim('', { storageClassName: 'made-late' });
    await pods().create({
      metadata: { namespace, name: 'own' },
      spec: {
        containers: [{ name: 'c', image: 'web:1' }],
        volumes: [{ name: 'scratch', ephemeral: { volumeClaimTemplate: { spec } } }],
      },
    } as Pod);
    const running = await runs('own');
    const made = await claimIs('own-scratch', 'Bound');
    expect(made.metadata?.annotations?.['volume.kubernetes.io/selected-node']).to.equal(running.spec?.nodeName);
    await pods().delete({ namespace, name: 'own' });
    await gone(() => claims().get({ namespace, name: 'own-scratch' }));
  });
  it('that are gone leave their claims lost', async () => {
    await claims().create(claim('unlucky'));
    const name = (await claimIs('unlucky', 'Bound')).spec?.volumeName ?? '';
    await volumes().patch({ name }, { metadata: { finalizers: null } });
    await volumes().delete({ name });
    await volumes()
      .patch({ name }, { metadata: { finalizers: null } })
      .catch(() => undefined);
    await claimIs('unlucky', 'Lost');
    await eventually(
      async () =>
        (await eventsOf('unlucky')).includes(
          'ClaimLost: Bound claim has lost its PersistentVolume. Data on the volume is lost!',
        ),
      patient,
    );
  });
});
