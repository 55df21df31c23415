import { expect } from 'chai';
import { isStatusError } from '@kubechain/apimachinery';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import type { PodDisruptionBudget } from '@kubechain/apimachinery/types/policy/v1';
import { resources } from '@kubechain/controllers';
import { eventually, startLiveCluster, type LiveCluster } from './live-cluster.ts';

const patient = { withinMs: 60_000 };
const namespace = 'default';

describe('disruption budgets on played nodes', () => {
  let cluster: LiveCluster;
  before(async () => {
    cluster = await startLiveCluster({
      controllers: ['workloads', 'nodes', 'serviceaccount', 'garbagecollector'],
      controllerFlags: (defaults) => ({ ...defaults, simulation: { ...defaults.simulation, nodes: 2 } }),
    });
    await eventually(
      () => cluster.client.resource(resources.serviceaccounts).get({ namespace, name: 'default' }),
      patient,
    );
  });
  after(() => cluster.stop());

  const pods = async (app: string): Promise<readonly Pod[]> =>
    (await cluster.client.resource(resources.pods).list({ namespace, labelSelector: `app=${app}` })).items;
  const evict = async ({ metadata }: Pod): Promise<number> => {
    const { name = '' } = metadata ?? {};
    try {
      await cluster.client
        .resource(resources.pods)
        .create(
          { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } },
          { name, namespace, subresource: 'eviction' },
        );
      return 201;
    } catch (error) {
      if (isStatusError(error)) return error.status.code ?? 0;
      throw error;
    }
  };
  const makeBudget = (name: string, spec: object): Promise<PodDisruptionBudget> =>
    cluster.client
      .resource(resources.poddisruptionbudgets)
      .create({ metadata: { namespace, name }, spec: { selector: { matchLabels: { app: name } }, ...spec } });
  const budget = (
    name: string,
    expected: Readonly<Record<string, number>>,
  ): Promise<NonNullable<PodDisruptionBudget['status']>> =>
    eventually(async () => {
      const { status } = await cluster.client.resource(resources.poddisruptionbudgets).get({ namespace, name });
      const found: Readonly<Record<string, unknown>> = { ...status };
      return Object.entries(expected).every(([member, value]) => found[member] === value) ? status : undefined;
    }, patient);
  const deploy = (name: string, replicas: number, annotations: Record<string, string> = {}) =>
    cluster.client.resource(resources.deployments).create({
      metadata: { namespace, name },
      spec: {
        replicas,
        selector: { matchLabels: { app: name } },
        template: {
          metadata: { labels: { app: name }, annotations },
          spec: { containers: [{ name: 'c', image: 'i' }] },
        },
      },
    });

  it('let as many pods be evicted as may be missing, and more once others are there', async () => {
    await makeBudget('web', { maxUnavailable: 1 });
    await budget('web', { disruptionsAllowed: 0, expectedPods: 0 });
    await deploy('web', 3, { 'simulation.kubechain.dev/start-seconds': '1' });
    const status = await budget('web', {
      disruptionsAllowed: 1,
      expectedPods: 3,
      desiredHealthy: 2,
      currentHealthy: 3,
    });
    expect(status.conditions?.[0]).to.deep.include({
      type: 'DisruptionAllowed',
      status: 'True',
      reason: 'SufficientPods',
    });
    const [first, second] = await pods('web');
    expect(await evict(first!)).to.equal(201);
    expect(await evict(second!)).to.equal(429);
    await budget('web', { disruptionsAllowed: 1, currentHealthy: 3 });
    expect(await evict(second!)).to.equal(201);
  });
  it('take what a custom resource wants from its scale', async () => {
    await cluster.client.json({
      method: 'POST',
      path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      body: {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'flocks.example.com' },
        spec: {
          group: 'example.com',
          scope: 'Namespaced',
          names: { plural: 'flocks', kind: 'Flock' },
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
              subresources: { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
            },
          ],
        },
      },
    });
    const flock = await eventually(
      () =>
        cluster.client.json<{ metadata: { uid: string } }>({
          method: 'POST',
          path: `/apis/example.com/v1/namespaces/${namespace}/flocks`,
          body: { apiVersion: 'example.com/v1', kind: 'Flock', metadata: { name: 'geese' }, spec: { replicas: 4 } },
        }),
      patient,
    );
    await cluster.client.resource(resources.pods).create({
      metadata: {
        namespace,
        name: 'goose',
        labels: { app: 'geese' },
        ownerReferences: [
          { apiVersion: 'example.com/v1', kind: 'Flock', name: 'geese', uid: flock.metadata.uid, controller: true },
        ],
      },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    });
    await makeBudget('geese', { minAvailable: '50%' });
    await budget('geese', { expectedPods: 4, desiredHealthy: 2, currentHealthy: 1, disruptionsAllowed: 0 });
  });
  it('say why they cannot count', async () => {
    // Pods of owners that are not there would be collected, at any time.
    const { metadata: owner } = await cluster.client
      .resource(resources.configmaps)
      .create({ metadata: { namespace, name: 'c' } });
    await cluster.client.resource(resources.pods).create({
      metadata: {
        namespace,
        name: 'strange',
        labels: { app: 'strange' },
        ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'c', uid: owner?.uid ?? '', controller: true }],
      },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    });
    await makeBudget('strange', { maxUnavailable: 1 });
    const condition = await eventually(
      async () =>
        (
          await cluster.client.resource(resources.poddisruptionbudgets).get({ namespace, name: 'strange' })
        ).status?.conditions?.find(({ reason }) => reason === 'SyncFailed'),
      patient,
    );
    expect(condition.message).to.equal('configmaps does not implement the scale subresource');
  });
});
