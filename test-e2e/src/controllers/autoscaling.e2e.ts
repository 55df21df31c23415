import { expect } from 'chai';
import { formatTime } from '@kubechain/apimachinery';
import type { HorizontalPodAutoscaler } from '@kubechain/apimachinery/types/autoscaling/v2';
import { resources } from '@kubechain/controllers';
import { eventually, startLiveCluster, type LiveCluster } from './live-cluster.ts';

const patient = { withinMs: 60_000 };
const namespace = 'default';
type Status = NonNullable<HorizontalPodAutoscaler['status']>;

describe('autoscalers on played nodes', () => {
  let cluster: LiveCluster;
  before(async () => {
    cluster = await startLiveCluster({
      controllers: ['workloads', 'kube-scheduler', 'node-simulator', 'serviceaccount', 'garbagecollector'],
      controllerFlags: (defaults) => ({
        ...defaults,
        simulation: { ...defaults.simulation, nodes: 1 },
        autoscaling: {
          ...defaults.autoscaling,
          'horizontal-pod-autoscaler-sync-period': 500,
          'horizontal-pod-autoscaler-downscale-stabilization': 1_000,
        },
      }),
    });
    await eventually(
      () => cluster.client.resource(resources.serviceaccounts).get({ namespace, name: 'default' }),
      patient,
    );
  });
  after(() => cluster.stop());

  const deploy = (name: string, replicas: number) =>
    cluster.client.resource(resources.deployments).create({
      metadata: { namespace, name },
      spec: {
        replicas,
        selector: { matchLabels: { app: name } },
        template: {
          metadata: { labels: { app: name } },
          spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '100m' } } }] },
        },
      },
    });
  const autoscale = (name: string, spec: object = {}): Promise<HorizontalPodAutoscaler> =>
    cluster.client.resource(resources.horizontalpodautoscalers).create({
      metadata: { namespace, name },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
        minReplicas: 1,
        maxReplicas: 6,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
        ],
        ...spec,
      },
    });
  const status = (name: string, check: (status: Status) => boolean): Promise<Status> =>
    eventually(async () => {
      const found = (await cluster.client.resource(resources.horizontalpodautoscalers).get({ namespace, name })).status;
      return found !== undefined && check(found) ? found : undefined;
    }, patient);
  const conditionOf = ({ conditions = [] }: Status, type: string) => conditions.find((one) => one.type === type);
  const event = (name: string, reason: string): Promise<string> =>
    eventually(async () => {
      const { items } = await cluster.client.resource(resources.events).list({
        namespace,
        fieldSelector: `involvedObject.kind=HorizontalPodAutoscaler,involvedObject.name=${name},reason=${reason}`,
      });
      return items[0]?.message;
    }, patient);
  /** Custom resources in the place of a metrics server: they are listed by the same paths. */
  const serve = (group: string, plural: string, kind: string): Promise<unknown> =>
    cluster.client.json({
      method: 'POST',
      path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      body: {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: {
          name: `${plural}.${group}`,
          annotations: { 'api-approved.kubernetes.io': 'unapproved, for a test' },
        },
        spec: {
          group,
          scope: 'Namespaced',
          names: { plural, kind },
          versions: [
            {
              name: 'v1beta1',
              served: true,
              storage: true,
              schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
            },
          ],
        },
      },
    });
  const put = (path: string, body: { readonly metadata: object }): Promise<unknown> =>
    eventually(() => cluster.client.json({ method: 'POST', path, body }), patient);

  it('say why they cannot do anything without metrics', async () => {
    await deploy('blind', 1);
    await autoscale('blind');
    const found = await status('blind', (one) => conditionOf(one, 'ScalingActive') !== undefined);
    const why =
      'failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from ' +
      'resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)';
    expect(conditionOf(found, 'ScalingActive')).to.deep.include({
      status: 'False',
      reason: 'FailedGetResourceMetric',
      message: `the HPA was unable to compute the replica count: ${why}`,
    });
    expect(conditionOf(found, 'AbleToScale')).to.deep.include({ status: 'True', reason: 'SucceededGetScale' });
    expect(await event('blind', 'FailedGetResourceMetric')).to.equal(why);
    expect(await event('blind', 'FailedComputeMetricsReplicas')).to.equal(
      `invalid metrics (1 invalid out of 1), first error is: failed to get cpu resource metric value: ${why}`,
    );
  });
  it('bring a target within its limits, and say when it is not there', async () => {
    await deploy('large', 8);
    await autoscale('large');
    const found = await status('large', ({ desiredReplicas }) => desiredReplicas === 6);
    expect(conditionOf(found, 'AbleToScale')).to.deep.include({
      status: 'True',
      reason: 'SucceededRescale',
      message: 'the HPA controller was able to update the target scale to 6',
    });
    expect(await event('large', 'SuccessfulRescale')).to.equal(
      'New size: 6; reason: Current number of replicas above Spec.MaxReplicas',
    );
    await autoscale('nowhere');
    const lost = await status('nowhere', (one) => conditionOf(one, 'AbleToScale') !== undefined);
    expect(conditionOf(lost, 'AbleToScale')).to.deep.include({
      status: 'False',
      reason: 'FailedGetScale',
      message: 'the HPA controller was unable to get the target\'s current scale: deployments.apps "nowhere" not found',
    });
  });
  it('follow what something outside of the cluster says', async () => {
    await serve('external.metrics.k8s.io', 'queue', 'Queue');
    const path = `/apis/external.metrics.k8s.io/v1beta1/namespaces/${namespace}/queue`;
    const value = (length: string) => ({
      metadata: { name: 'length' },
      timestamp: formatTime(Date.now()),
      value: length,
    });
    await put(path, { apiVersion: 'external.metrics.k8s.io/v1beta1', kind: 'Queue', ...value('45') } as never);
    await deploy('workers', 1);
    await autoscale('workers', {
      metrics: [
        {
          type: 'External',
          external: { metric: { name: 'queue' }, target: { type: 'AverageValue', averageValue: '10' } },
        },
      ],
    });
    // At most four at first.
    await status('workers', ({ desiredReplicas }) => desiredReplicas === 5);
    const name = 'external metric queue(nil)';
    expect(await event('workers', 'SuccessfulRescale')).to.equal(`New size: 4; reason: ${name} above target`);
    await cluster.client.json({
      method: 'PATCH',
      path: `${path}/length`,
      body: { value: '12' },
      contentType: 'application/merge-patch+json',
    });
    const found = await status('workers', ({ desiredReplicas }) => desiredReplicas === 2);
    expect(conditionOf(found, 'ScalingActive')).to.deep.include({
      status: 'True',
      reason: 'ValidMetricFound',
      message: `the HPA was able to successfully calculate a replica count from ${name}`,
    });
  });
  it('follow the CPU of pods', async () => {
    await serve('metrics.k8s.io', 'pods', 'PodMetrics');
    await deploy('web', 2);
    const pods = await eventually(async () => {
      const { items } = await cluster.client.resource(resources.pods).list({ namespace, labelSelector: 'app=web' });
      return items.length === 2 && items.every(({ status: is }) => is?.phase === 'Running') ? items : undefined;
    }, patient);
    for (const { metadata } of pods)
      await put(`/apis/metrics.k8s.io/v1beta1/namespaces/${namespace}/pods`, {
        apiVersion: 'metrics.k8s.io/v1beta1',
        kind: 'PodMetrics',
        metadata: { name: metadata?.name, labels: { app: 'web' } },
        timestamp: formatTime(Date.now() + 60_000),
        window: '1s',
        containers: [{ name: 'c', usage: { cpu: '90m', memory: '10Mi' } }],
      } as never);
    await autoscale('web');
    const found = await status(
      'web',
      ({ currentMetrics = [], desiredReplicas }) => desiredReplicas === 4 && currentMetrics.length > 0,
    );
    expect(found.currentMetrics?.[0]).to.deep.equal({
      type: 'Resource',
      resource: { name: 'cpu', current: { averageUtilization: 90, averageValue: '90m' } },
    });
    expect(await event('web', 'SuccessfulRescale')).to.equal(
      'New size: 4; reason: cpu resource utilization (percentage of request) above target',
    );
  });
});
