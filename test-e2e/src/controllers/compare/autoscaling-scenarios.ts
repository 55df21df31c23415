import type { HorizontalPodAutoscaler } from '@kubechain/apimachinery/types/autoscaling/v2';
import { resources, type ResourceType } from '@kubechain/controllers';
import { eventually } from '../live-cluster.ts';
import type { Scenario, Stage } from './scenarios.ts';
import { metricsMap, usageAnnotation, type Usage } from './serve-metrics.ts';

const patient = { withinMs: 60_000 };

interface Target {
  readonly replicas?: number;
  readonly usage?: Usage;
  /** Containers' requests, by container. */
  readonly requests?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly type?: ResourceType;
}

const cpu = (...millicores: readonly number[]): Usage => ({
  containers: Object.fromEntries(
    millicores.map((milli, i) => [`c${i}`, { cpu: `${milli}m`, memory: `${milli * 1024}Ki` }]),
  ),
});
const asked = { c0: { cpu: '100m', memory: '64Mi' } };

/** A workload whose pods use so much. */
async function makeTarget({ client, namespace }: Stage, name: string, target: Target = {}): Promise<void> {
  const { replicas = 2, requests = asked, type = resources.deployments, usage } = target;
  await client.resource(type as typeof resources.deployments).create({
    metadata: { namespace, name },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: {
          labels: { app: name },
          annotations: usage === undefined ? {} : { [usageAnnotation]: JSON.stringify(usage) },
        },
        spec: {
          containers: Object.entries(requests).map(([container, of]) => ({
            name: container,
            image: 'web:1',
            resources: { requests: of },
          })),
        },
      },
    },
  });
  await eventually(async () => {
    const { items } = await client.resource(resources.pods).list({ namespace, labelSelector: `app=${name}` });
    const ready = items.filter(({ status }) =>
      status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True'),
    );
    return ready.length === replicas;
  }, patient);
}

function autoscale(stage: Stage, name: string, spec: object): Promise<HorizontalPodAutoscaler> {
  const { client, namespace } = stage;
  return client.resource(resources.horizontalpodautoscalers).create({
    metadata: { namespace, name },
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name }, maxReplicas: 10, ...spec },
  });
}

/** Until there are so many replicas, and a pass has seen them. */
async function until(
  { client, namespace }: Stage,
  name: string,
  holds: (status: NonNullable<HorizontalPodAutoscaler['status']>) => boolean,
): Promise<void> {
  await eventually(async () => {
    const { status } = await client.resource(resources.horizontalpodautoscalers).get({ namespace, name });
    return status !== undefined && holds(status);
  }, patient);
}
const at = (replicas: number) => (status: NonNullable<HorizontalPodAutoscaler['status']>) =>
  status.currentReplicas === replicas && status.desiredReplicas === replicas && (status.conditions ?? []).length > 2;
const says = (text: string) => (status: object) => JSON.stringify(status).includes(text);

function putMetrics({ client, namespace }: Stage, data: Readonly<Record<string, string>>): Promise<unknown> {
  return client.resource(resources.configmaps).create({ metadata: { namespace, name: metricsMap }, data });
}

const resource = (name: string, target: object): object => ({ type: 'Resource', resource: { name, target } });
const utilization = (averageUtilization: number): object => ({ type: 'Utilization', averageUtilization });
const average = (averageValue: string): object => ({ type: 'AverageValue', averageValue });
const value = (text: string): object => ({ type: 'Value', value: text });
const halfOfCPU = resource('cpu', utilization(50));
const podsMetric = (name: string, target: object, selector?: object): object => ({
  type: 'Pods',
  pods: { metric: { name, ...(selector === undefined ? {} : { selector }) }, target },
});
const objectMetric = (apiVersion: string, kind: string, metric: string, target: object): object => ({
  type: 'Object',
  object: { describedObject: { apiVersion, kind, name: 'thing' }, metric: { name: metric }, target },
});
const external = (name: string, target: object, matchLabels?: object): object => ({
  type: 'External',
  external: { metric: { name, ...(matchLabels === undefined ? {} : { selector: { matchLabels } }) }, target },
});
const containerCPU = (container: string, target: object): object => ({
  type: 'ContainerResource',
  containerResource: { name: 'cpu', container, target },
});
const policy = (type: 'Pods' | 'Percent', amount: number): object => ({ type, value: amount, periodSeconds: 1_800 });

/** One target with one autoscaler, and where it ends. */
const scaled = (name: string, target: Target, spec: object, ends: number | string): Scenario => ({
  name: `autoscaler: ${name}`,
  play: async (stage) => {
    await makeTarget(stage, 'web', target);
    await autoscale(stage, 'web', spec);
    await until(stage, 'web', typeof ends === 'string' ? says(ends) : at(ends));
  },
});

/** Where something other than pods is measured. */
const measuring = (data: Readonly<Record<string, string>>, { name, play }: Scenario): Scenario => ({
  name,
  play: async (stage) => {
    await putMetrics(stage, data);
    await play(stage);
  },
});

/** What autoscalers do where something serves metrics. */
export const autoscalingScenarios: readonly Scenario[] = [
  scaled('CPU utilization, more', { usage: cpu(90) }, { metrics: [halfOfCPU], maxReplicas: 4 }, 4),
  scaled(
    'CPU utilization, fewer at once',
    { usage: cpu(20), replicas: 4 },
    { metrics: [halfOfCPU], behavior: { scaleDown: { stabilizationWindowSeconds: 0 } } },
    1,
  ),
  scaled('CPU utilization, fewer later', { usage: cpu(20), replicas: 4 }, { metrics: [halfOfCPU] }, 'Stabilized'),
  scaled('CPU utilization, within tolerance', { usage: cpu(52) }, { metrics: [halfOfCPU] }, 2),
  scaled(
    'CPU utilization, within a tolerance of its own',
    { usage: cpu(70) },
    { metrics: [halfOfCPU], behavior: { scaleUp: { tolerance: '500m' } } },
    2,
  ),
  scaled('memory by value', { usage: cpu(90) }, { metrics: [resource('memory', average('60Mi'))], maxReplicas: 3 }, 3),
  scaled(
    'a container of two',
    { usage: cpu(90, 5), requests: { c0: { cpu: '100m' }, c1: { cpu: '50m' } } },
    { metrics: [containerCPU('c1', utilization(10))] },
    2,
  ),
  scaled(
    'a container by value',
    { usage: cpu(90, 60), requests: { c0: {}, c1: {} } },
    { metrics: [containerCPU('c1', average('20m'))], maxReplicas: 5 },
    5,
  ),
  scaled(
    'a container that is not there',
    { usage: cpu(90) },
    { metrics: [containerCPU('other', utilization(10))] },
    'FailedGetContainerResourceMetric',
  ),
  scaled('pods without requests', { usage: cpu(90), requests: { c0: {} } }, { metrics: [halfOfCPU] }, 'FailedGet'),
  scaled('pods without metrics', {}, { metrics: [halfOfCPU] }, 'FailedGet'),
  scaled('nothing to scale by', { replicas: 0, usage: cpu(90) }, { metrics: [halfOfCPU] }, 'ScalingDisabled'),
  scaled('fewer than the least', { usage: cpu(50), replicas: 1 }, { metrics: [halfOfCPU], minReplicas: 3 }, 3),
  scaled(
    'at its least',
    { usage: cpu(5) },
    { metrics: [halfOfCPU], minReplicas: 2, behavior: { scaleDown: { stabilizationWindowSeconds: 0 } } },
    'TooFewReplicas',
  ),
  scaled(
    'a metric of pods',
    { usage: { metrics: { requests: '15' } } },
    { metrics: [podsMetric('requests', average('10'))], maxReplicas: 4 },
    4,
  ),
  scaled(
    'a metric of pods with a selector',
    { usage: { metrics: { requests: '1500m' } } },
    { metrics: [podsMetric('requests', average('1500m'), { matchLabels: { verb: 'GET' } })] },
    2,
  ),
  scaled('a metric that pods lack', {}, { metrics: [podsMetric('nothing', average('10'))] }, 'FailedGetPodsMetric'),
  scaled('a metric that nobody serves', {}, { metrics: [podsMetric('unheard', average('10'))] }, 'FailedGetPodsMetric'),
  measuring(
    {
      'Service.thing.hits': '150',
    },
    scaled(
      'an object by value',
      {},
      { metrics: [objectMetric('v1', 'Service', 'hits', value('100'))], maxReplicas: 3 },
      3,
    ),
  ),
  measuring(
    {
      'Deployment.thing.latency': '1500m',
    },
    scaled('an object by pod', {}, { metrics: [objectMetric('apps/v1', 'Deployment', 'latency', average('300m'))] }, 5),
  ),
  measuring(
    { 'Namespace.load': '10' },
    scaled(
      'a namespace by value',
      {},
      { metrics: [objectMetric('v1', 'Namespace', 'load', value('10'))] },
      'ValidMetricFound',
    ),
  ),
  scaled(
    'an object without values',
    {},
    { metrics: [objectMetric('v1', 'Service', 'hits', value('100'))] },
    'FailedGetObjectMetric',
  ),
  scaled(
    'an object of no kind',
    {},
    { metrics: [objectMetric('example.com/v1', 'Boat', 'hits', value('100'))] },
    'FailedGetObjectMetric',
  ),
  measuring(
    {
      'external.queue': '25,15',
    },
    scaled('something outside by value', {}, { metrics: [external('queue', value('20'))], maxReplicas: 4 }, 4),
  ),
  measuring(
    {
      'external.queue': '25,11',
    },
    scaled('something outside by pod', {}, { metrics: [external('queue', average('9'), { of: 'us' })] }, 4),
  ),
  scaled('nothing outside', {}, { metrics: [external('empty', value('20'))] }, 'FailedGetExternalMetric'),
  scaled('nothing of that name outside', {}, { metrics: [external('unheard', value('2'))] }, 'FailedGetExternalMetric'),
  measuring(
    { 'external.queue': '30' },
    scaled(
      'the most of three metrics',
      { usage: { ...cpu(50), metrics: { requests: '10' } } },
      { metrics: [halfOfCPU, podsMetric('requests', average('10')), external('queue', average('5'))] },
      6,
    ),
  ),
  scaled(
    'one of two metrics, more',
    { usage: cpu(90) },
    { metrics: [external('empty', value('2')), halfOfCPU], maxReplicas: 4 },
    4,
  ),
  scaled(
    'one of two metrics, not fewer',
    { usage: cpu(5), replicas: 3 },
    { metrics: [halfOfCPU, external('empty', value('2'))] },
    'FailedGetExternalMetric',
  ),
  scaled(
    'so many pods more at once',
    { usage: cpu(90) },
    { metrics: [halfOfCPU], behavior: { scaleUp: { policies: [policy('Pods', 1)] } } },
    3,
  ),
  scaled(
    'so much more at once, the least of two',
    { usage: cpu(90) },
    {
      metrics: [halfOfCPU],
      behavior: { scaleUp: { selectPolicy: 'Min', policies: [policy('Pods', 4), policy('Percent', 100)] } },
    },
    4,
  ),
  scaled(
    'never more',
    { usage: cpu(90) },
    { metrics: [halfOfCPU], behavior: { scaleUp: { selectPolicy: 'Disabled' } } },
    'ScaleUpLimit',
  ),
  scaled(
    'so many pods fewer at once',
    { usage: cpu(5), replicas: 5 },
    {
      metrics: [halfOfCPU],
      behavior: { scaleDown: { stabilizationWindowSeconds: 0, policies: [policy('Pods', 2)] } },
    },
    3,
  ),
  scaled(
    'never fewer',
    { usage: cpu(5), replicas: 3 },
    { metrics: [halfOfCPU], behavior: { scaleDown: { stabilizationWindowSeconds: 0, selectPolicy: 'Disabled' } } },
    'ScaleDownLimit',
  ),
  scaled(
    'more only when it lasts',
    { usage: cpu(90) },
    { metrics: [halfOfCPU], behavior: { scaleUp: { stabilizationWindowSeconds: 3_600 } } },
    'ScaleUpStabilized',
  ),
  {
    name: 'autoscaler: a stateful set',
    play: async (stage) => {
      await makeTarget(stage, 'web', { usage: cpu(90), type: resources.statefulsets as ResourceType });
      const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'web' };
      await autoscale(stage, 'web', { scaleTargetRef, metrics: [halfOfCPU], maxReplicas: 3 });
      await until(stage, 'web', at(3));
    },
  },
  {
    name: 'autoscaler: targets that cannot be scaled',
    play: async (stage) => {
      const targets = {
        unknown: { apiVersion: 'example.com/v1', kind: 'Boat', name: 'web' },
        revision: { apiVersion: 'apps/v1', kind: 'ControllerRevision', name: 'one' },
        gone: { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'gone' },
      };
      for (const [name, scaleTargetRef] of Object.entries(targets)) {
        await autoscale(stage, name, { scaleTargetRef, metrics: [halfOfCPU] });
        await until(stage, name, says('FailedGetScale'));
      }
    },
  },
  {
    name: 'autoscaler: two for the same pods',
    play: async (stage) => {
      await makeTarget(stage, 'web', { usage: cpu(50) });
      const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
      await autoscale(stage, 'one', { scaleTargetRef, metrics: [halfOfCPU] });
      await until(stage, 'one', at(2));
      await autoscale(stage, 'two', { scaleTargetRef, metrics: [halfOfCPU] });
      await until(stage, 'two', says('AmbiguousSelector'));
      await until(stage, 'one', says('AmbiguousSelector'));
    },
  },
];
