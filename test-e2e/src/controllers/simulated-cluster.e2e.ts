import { expect } from 'chai';
import type { Deployment } from '@kubechain/apimachinery/types/apps/v1';
import { resources } from '@kubechain/controllers';
import { eventually, startLiveCluster, type LiveCluster } from './live-cluster.ts';

const patient = { withinMs: 60_000 };

describe('a cluster whose nodes are played', () => {
  let cluster: LiveCluster;
  const namespace = 'default';
  before(async () => {
    cluster = await startLiveCluster({
      controllers: ['workloads', 'nodes', 'serviceaccount', 'garbagecollector'],
      controllerFlags: (defaults) => ({ ...defaults, simulation: { ...defaults.simulation, nodes: 3 } }),
    });
    await eventually(
      () => cluster.client.resource(resources.serviceaccounts).get({ namespace, name: 'default' }),
      patient,
    );
    await eventually(async () => {
      const { items } = await cluster.client.resource(resources.nodes).list();
      const ready = items.filter(
        ({ spec, status }) =>
          (spec?.taints ?? []).length === 0 &&
          status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
      );
      return ready.length === 3;
    }, patient);
  });
  after(() => cluster.stop());

  const deployment = (name: string, spec: object = {}, podSpec: object = {}): Deployment =>
    ({
      metadata: { namespace, name },
      spec: {
        replicas: 3,
        selector: { matchLabels: { app: name } },
        template: {
          metadata: { labels: { app: name } },
          spec: { containers: [{ name: 'c', image: 'web:1' }], ...podSpec },
        },
        ...spec,
      },
    }) as Deployment;
  const get = (name: string): Promise<Deployment> =>
    cluster.client.resource(resources.deployments).get({ namespace, name });
  const done = (
    name: string,
    check: (status: NonNullable<Deployment['status']>) => boolean = () => true,
  ): Promise<Deployment> =>
    eventually(async () => {
      const found = await get(name);
      const { metadata, spec, status = {} } = found;
      const complete =
        status.observedGeneration === metadata?.generation &&
        status.updatedReplicas === spec?.replicas &&
        status.replicas === spec?.replicas &&
        status.availableReplicas === spec?.replicas;
      return complete && check(status) ? found : undefined;
    }, patient);
  const setImage = (name: string, image: string): Promise<Deployment> =>
    cluster.client
      .resource(resources.deployments)
      .patch(
        { namespace, name },
        { spec: { template: { spec: { containers: [{ name: 'c', image }] } } } },
        { type: 'application/strategic-merge-patch+json' },
      );
  const podsOf = async (app: string) =>
    (await cluster.client.resource(resources.pods).list({ namespace, labelSelector: `app=${app}` })).items;
  const eventsOf = async (name: string): Promise<string[]> =>
    (
      await cluster.client.resource(resources.events).list({ namespace, fieldSelector: `involvedObject.name=${name}` })
    ).items.map(({ message = '', reason = '' }) => `${reason}: ${message}`);

  it('rolls a deployment out, over all nodes, and again with another image', async () => {
    await cluster.client.resource(resources.deployments).create(deployment('web'));
    const first = await done('web');
    expect(first.metadata?.annotations?.['deployment.kubernetes.io/revision']).to.equal('1');
    expect(new Set((await podsOf('web')).map(({ spec }) => spec?.nodeName)).size).to.equal(3);
    await setImage('web', 'web:2');
    const second = await done('web', ({ conditions = [] }) =>
      conditions.some(({ reason }) => reason === 'NewReplicaSetAvailable'),
    );
    expect(second.metadata?.annotations?.['deployment.kubernetes.io/revision']).to.equal('2');
    const sets = (await cluster.client.resource(resources.replicasets).list({ namespace, labelSelector: 'app=web' }))
      .items;
    expect(sets.map(({ spec }) => spec?.replicas)).to.have.members([0, 3]);
    const events = await eventually(async () => {
      const found = await eventsOf('web');
      return found.some((text) => /Scaled down replica set .* from 1 to 0$/.test(text)) ? found : undefined;
    }, patient);
    expect(events.some((text) => /^ScalingReplicaSet: Scaled up replica set web-\S+ from 0 to 3$/.test(text))).to.equal(
      true,
    );
  });
  it('takes an earlier template for its earlier replica set', async () => {
    await setImage('web', 'web:1');
    const back = await done('web');
    expect(back.metadata?.annotations?.['deployment.kubernetes.io/revision']).to.equal('3');
    expect(
      (await cluster.client.resource(resources.replicasets).list({ namespace, labelSelector: 'app=web' })).items,
    ).to.have.length(2);
  });
  it('goes back to the revision that an old version of its API asks for', async () => {
    const annotations = { 'deprecated.deployment.rollback.to': '2' };
    await cluster.client
      .resource(resources.deployments)
      .patch({ namespace, name: 'web' }, { metadata: { annotations } });
    const back = await eventually(async () => {
      const found = await done('web');
      return found.metadata?.annotations?.['deployment.kubernetes.io/revision'] === '4' ? found : undefined;
    }, patient);
    expect(back.spec?.template.spec?.containers[0]?.image).to.equal('web:2');
    expect(back.metadata?.annotations).to.not.have.property('deprecated.deployment.rollback.to');
    const told = 'DeploymentRollback: Rolled back deployment "web" to revision 2';
    await eventually(async () => (await eventsOf('web')).includes(told), patient);
  });
  it('recreates all pods at once where the strategy says so', async () => {
    await cluster.client.resource(resources.deployments).create(deployment('once', { strategy: { type: 'Recreate' } }));
    await done('once');
    const before = (await podsOf('once')).map(({ metadata }) => metadata?.uid);
    await setImage('once', 'web:2');
    await done('once');
    const after = await eventually(async () => {
      const pods = await podsOf('once');
      return pods.length === 3 ? pods : undefined;
    }, patient);
    expect(after.map(({ metadata }) => metadata?.uid)).not.to.have.any.members(before as string[]);
  });
  it('says in the words of the reference why a pod has no node, and finds one when there is room', async () => {
    await cluster.client
      .resource(resources.deployments)
      .create(
        deployment(
          'huge',
          { replicas: 1 },
          { containers: [{ name: 'c', image: 'web:1', resources: { requests: { cpu: '33' } } }] },
        ),
      );
    const condition = await eventually(
      async () => (await podsOf('huge'))[0]?.status?.conditions?.find(({ type }) => type === 'PodScheduled'),
      patient,
    );
    expect(condition).to.deep.include({
      status: 'False',
      reason: 'Unschedulable',
      message:
        '0/3 nodes are available: 3 Insufficient cpu. no new claims to deallocate, preemption: 0/3 nodes are ' +
        'available: 3 Preemption is not helpful for scheduling.',
    });
    await cluster.client.resource(resources.nodes).create({
      metadata: { name: 'large', annotations: { 'kwok.x-k8s.io/node': 'fake' } },
      status: {
        capacity: { cpu: '64', memory: '1Ti', pods: '10' },
        allocatable: { cpu: '64', memory: '1Ti', pods: '10' },
      },
    });
    await done('huge');
    expect((await podsOf('huge'))[0]?.spec?.nodeName).to.equal('large');
  });
  it('lets pods fail as their annotations say', async () => {
    await cluster.client.resource(resources.pods).create({
      metadata: { namespace, name: 'crashing', annotations: { 'simulation.kubechain.dev/failure': 'crash-loop' } },
      spec: { containers: [{ name: 'c', image: 'web:1' }] },
    });
    const waiting = await eventually(
      async () =>
        (await cluster.client.resource(resources.pods).get({ namespace, name: 'crashing' })).status
          ?.containerStatuses?.[0]?.state?.waiting,
      patient,
    );
    expect(waiting.reason).to.equal('CrashLoopBackOff');
  });
  it('gives the scripted log of a pod, through its node', async () => {
    await cluster.client.resource(resources.pods).create({
      metadata: { namespace, name: 'talking', annotations: { 'simulation.kubechain.dev/logs': 'one\ntwo\n' } },
      spec: { containers: [{ name: 'c', image: 'web:1' }] },
    });
    const log = (query: Record<string, string> = {}): Promise<string> =>
      cluster.client.text({
        method: 'GET',
        path: `/api/v1/namespaces/${namespace}/pods/talking/log`,
        query: new URLSearchParams(query),
        accept: '*/*',
      });
    expect(await eventually(() => log(), patient)).to.equal('one\ntwo\n');
    expect(await log({ tailLines: '1' })).to.equal('two\n');
  });
  it('deletes a deployment with all its pods', async () => {
    await cluster.client.resource(resources.deployments).delete({ namespace, name: 'web' });
    await eventually(async () => (await podsOf('web')).length === 0, patient);
  });
});
