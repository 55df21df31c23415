import { expect } from 'chai';
import { formatTime, isNotFound } from '@kubechain/apimachinery';
import type { Node, Pod } from '@kubechain/apimachinery/types/core/v1';
import { resources } from '@kubechain/controllers';
import { eventually, startLiveCluster, type LiveCluster } from './live-cluster.ts';
import { MovableClock } from './movable-clock.ts';

const patient = { withinMs: 60_000 };
const namespace = 'default';

describe('nodes that fail', () => {
  const clock = new MovableClock();
  let cluster: LiveCluster;
  before(async () => {
    cluster = await startLiveCluster({
      controllers: ['node-lifecycle-controller', 'taint-eviction-controller', 'serviceaccount'],
      clock,
    });
    await eventually(
      () => cluster.client.resource(resources.serviceaccounts).get({ namespace, name: 'default' }),
      patient,
    );
    await makeNode('alive');
  });
  after(() => cluster.stop());

  const nodes = () => cluster.client.resource(resources.nodes);
  const speak = (name: string, status = 'True'): Promise<Node> =>
    nodes().patch(
      { name },
      {
        status: {
          conditions: [{ type: 'Ready', status, reason: 'KubeletReady', lastHeartbeatTime: formatTime(clock.now()) }],
        },
      },
      { subresource: 'status', type: 'application/strategic-merge-patch+json' },
    );
  const makeNode = async (name: string): Promise<void> => {
    await nodes().create({ metadata: { name, labels: { 'kubernetes.io/os': 'linux' } } });
    await speak(name);
    await eventually(async () => (await taints(name)).length === 0, patient);
  };
  const taints = async (name: string): Promise<readonly string[]> =>
    ((await nodes().get({ name })).spec?.taints ?? [])
      .map(({ effect, key }) => `${key.slice(19)}:${effect}`)
      .toSorted();
  const makePod = (name: string, node: string, tolerations: object[] = []): Promise<Pod> =>
    cluster.client.resource(resources.pods).create({
      metadata: { namespace, name },
      spec: {
        nodeName: node,
        terminationGracePeriodSeconds: 0,
        containers: [{ name: 'c', image: 'i' }],
        tolerations: tolerations as never,
      },
    });
  const pod = (name: string): Promise<Pod> => cluster.client.resource(resources.pods).get({ namespace, name });
  const isGone = async (name: string): Promise<boolean> => {
    try {
      await pod(name);
      return false;
    } catch (error) {
      if (isNotFound(error)) return true;
      throw error;
    }
  };
  const events = async (name: string, reason: string): Promise<readonly string[]> =>
    (
      await cluster.client
        .resource(resources.events)
        .list({ namespace, fieldSelector: `involvedObject.name=${name},reason=${reason}` })
    ).items.map(({ message = '' }) => message);
  const tolerating = (key: string, tolerationSeconds?: number): object => ({
    key,
    operator: 'Exists',
    effect: 'NoExecute',
    ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
  });

  it('are kept free as their conditions say, and labelled as older clients look for them', async () => {
    await makeNode('pressed');
    await eventually(
      async () => (await nodes().get({ name: 'pressed' })).metadata?.labels?.['beta.kubernetes.io/os'] === 'linux',
      patient,
    );
    await nodes().patch(
      { name: 'pressed' },
      { status: { conditions: [{ type: 'DiskPressure', status: 'True' }] } },
      { subresource: 'status', type: 'application/strategic-merge-patch+json' },
    );
    await eventually(async () => (await taints('pressed')).join(' ') === 'disk-pressure:NoSchedule', patient);
    await nodes().patch({ name: 'pressed' }, { spec: { unschedulable: true } });
    await eventually(
      async () => (await taints('pressed')).join(' ') === 'disk-pressure:NoSchedule unschedulable:NoSchedule',
      patient,
    );
    expect(await eventually(async () => (await events('pressed', 'RegisteredNode'))[0], patient)).to.equal(
      'Node pressed event: Registered Node pressed in Controller',
    );
    await nodes().delete({ name: 'pressed' });
    expect(await eventually(async () => (await events('pressed', 'RemovingNode'))[0], patient)).to.equal(
      'Node pressed event: Removing Node pressed from Controller',
    );
  });

  it('lose their pods when they are silent for too long, each in its time', async () => {
    await makeNode('lost');
    await makePod('soon', 'lost', [
      tolerating('node.kubernetes.io/unreachable', 30),
      tolerating('node.kubernetes.io/not-ready', 30),
    ]);
    await makePod('patient', 'lost', [tolerating('node.kubernetes.io/unreachable')]);
    await cluster.client
      .resource(resources.pods)
      .patch(
        { namespace, name: 'patient' },
        { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } },
        { subresource: 'status', type: 'application/strategic-merge-patch+json' },
      );
    // Between two looks at all nodes, so that this one is seen alive.
    clock.putOn(6_000);
    await new Promise((resolve) => setTimeout(resolve, 300));
    clock.putOn(45_000);
    await speak('alive');
    await new Promise((resolve) => setTimeout(resolve, 300));
    clock.putOn(8_000);
    const ready = await eventually(async () => {
      const condition = (await nodes().get({ name: 'lost' })).status?.conditions?.find(({ type }) => type === 'Ready');
      return condition?.status === 'Unknown' ? condition : undefined;
    }, patient);
    expect(ready).to.deep.include({ reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.' });
    await eventually(
      async () => (await taints('lost')).join(' ') === 'unreachable:NoExecute unreachable:NoSchedule',
      patient,
    );
    expect(await taints('alive')).to.deep.equal([]);
    await eventually(
      async () => (await pod('patient')).status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'False',
      patient,
    );
    expect(await eventually(async () => (await events('patient', 'NodeNotReady'))[0], patient)).to.equal(
      'Node is not ready',
    );
    expect(await eventually(async () => (await events('lost', 'NodeNotReady'))[0], patient)).to.equal(
      'Node lost status is now: NodeNotReady',
    );
    expect(await isGone('soon')).to.equal(false);
    clock.putOn(30_000);
    await speak('alive');
    await eventually(() => isGone('soon'), patient);
    expect(await eventually(async () => (await events('soon', 'TaintManagerEviction'))[0], patient)).to.equal(
      `Marking for deletion Pod ${namespace}/soon`,
    );
    await speak('lost');
    await eventually(async () => (await taints('lost')).length === 0, patient);
    expect(await isGone('patient')).to.equal(false);
  });

  it('keep pods whose taint goes in time, and lose at once those that do not tolerate it', async () => {
    await makeNode('tainted');
    await makePod('stays', 'tainted', [tolerating('maintenance', 60)]);
    await makePod('held', 'tainted');
    await cluster.client
      .resource(resources.pods)
      .patch({ namespace, name: 'held' }, { metadata: { finalizers: ['example.com/held'] } });
    await nodes().patch({ name: 'tainted' }, { spec: { taints: [{ key: 'maintenance', effect: 'NoExecute' }] } });
    const held = await eventually(async () => {
      const found = await pod('held');
      return found.metadata?.deletionTimestamp === undefined ? undefined : found;
    }, patient);
    expect(held.status?.conditions?.find(({ type }) => type === 'DisruptionTarget')).to.deep.include({
      status: 'True',
      reason: 'DeletionByTaintManager',
      message: 'Taint manager: deleting due to NoExecute taint',
    });
    await nodes().patch({ name: 'tainted' }, { spec: { taints: null } });
    expect(await eventually(async () => (await events('stays', 'TaintManagerEviction'))[0], patient)).to.equal(
      `Cancelling deletion of Pod ${namespace}/stays`,
    );
    await cluster.client
      .resource(resources.pods)
      .patch({ namespace, name: 'held' }, { metadata: { finalizers: null } });
  });
});
