import type { KubeObject } from '@kubechain/apimachinery';
import type { PodTemplateSpec } from '@kubechain/apimachinery/types/core/v1';
import { resources, type Client, type ResourceType } from '@kubechain/controllers';
import { readFileSync } from 'node:fs';
import { eventually } from '../live-cluster.ts';

/** What a scenario does things with, in a namespace of its own. */
export interface Stage {
  readonly client: Client;
  readonly namespace: string;
}

/** Something that users do with workloads. */
export interface Scenario {
  readonly name: string;
  readonly play: (stage: Stage) => Promise<void>;
}

const patient = { withinMs: 60_000 };
const container = { name: 'c', image: 'web:1' };

function template(app: string, podSpec: object = {}, annotations: object = {}): object {
  return { metadata: { labels: { app }, annotations }, spec: { containers: [container], ...podSpec } };
}

function make<T extends object>(
  { client, namespace }: Stage,
  type: ResourceType<T>,
  name: string,
  spec: object,
): Promise<T> {
  return client.resource(type).create({ metadata: { name, namespace }, spec });
}

function change<T extends object>(
  { client, namespace }: Stage,
  type: ResourceType<T>,
  name: string,
  spec: object,
): Promise<T> {
  return client.resource(type).patch({ name, namespace }, { spec }, { type: 'application/strategic-merge-patch+json' });
}

async function until<T extends object>(
  { client, namespace }: Stage,
  type: ResourceType<T>,
  name: string,
  holds: (status: Readonly<Record<string, unknown>>) => boolean,
): Promise<void> {
  await eventually(async () => {
    const found = (await client.resource(type).get({ name, namespace })) as KubeObject & {
      readonly status?: Readonly<Record<string, unknown>>;
    };
    const { observedGeneration } = found.status ?? {};
    const seen = observedGeneration === undefined || observedGeneration === found.metadata?.generation;
    return seen && holds(found.status ?? {});
  }, patient);
}

/** Templates of all sorts, those that a server takes. */
const manyTemplates = (
  JSON.parse(
    readFileSync(
      new URL('../../../../packages/controllers/src/history/testing/template-hashes.json', import.meta.url),
      'utf8',
    ),
  ) as readonly { readonly template: PodTemplateSpec }[]
).slice(0, 20);

const hasCondition = (type: string) => (status: Readonly<Record<string, unknown>>) =>
  ((status['conditions'] ?? []) as readonly { readonly type: string; readonly status: string }[]).some(
    (condition) => condition.type === type && condition.status === 'True',
  );

const deployment = (replicas: number, more: object = {}): object => ({
  replicas,
  selector: { matchLabels: { app: 'web' } },
  template: template('web'),
  ...more,
});
const job = (more: object = {}, podSpec: object = {}, annotations: object = {}): object => ({
  template: template('job', { restartPolicy: 'Never', ...podSpec }, annotations),
  ...more,
});
const failing = { 'simulation.kubechain.dev/failure': 'exit', 'simulation.kubechain.dev/run-seconds': '0.2' };

/** Keeps daemon sets of other scenarios away. */
const keptFree = { key: 'manual', effect: 'NoSchedule' as const };

/** A node that nobody plays, ready for once. */
async function makeNode({ client, namespace }: Stage): Promise<string> {
  const name = `manual-${namespace}`;
  await client.resource(resources.nodes).create({ metadata: { name }, spec: { taints: [keptFree] } });
  const conditions = [{ type: 'Ready', status: 'True', lastHeartbeatTime: new Date().toISOString() }];
  await client.resource(resources.nodes).patch({ name }, { status: { conditions } }, { subresource: 'status' });
  return name;
}

/** A pod on a node, which stays when it is deleted. */
async function makePod(
  { client, namespace }: Stage,
  name: string,
  nodeName: string,
  tolerations: readonly object[],
): Promise<void> {
  await client.resource(resources.pods).create({
    metadata: { name, namespace, finalizers: ['example.com/stays'] },
    spec: { nodeName, terminationGracePeriodSeconds: 0, containers: [container], tolerations: tolerations as never },
  });
}

/** By kind of workload, in the words of users. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'deployment: rollout and back',
    play: async (stage) => {
      const type = resources.deployments;
      await make(stage, type, 'web', deployment(3));
      await until(stage, type, 'web', ({ availableReplicas }) => availableReplicas === 3);
      await change(stage, type, 'web', { template: { spec: { containers: [{ name: 'c', image: 'web:2' }] } } });
      await until(stage, type, 'web', ({ updatedReplicas, replicas }) => updatedReplicas === 3 && replicas === 3);
      await change(stage, type, 'web', { template: { spec: { containers: [container] } } });
      await until(stage, type, 'web', ({ updatedReplicas, replicas }) => updatedReplicas === 3 && replicas === 3);
    },
  },
  {
    name: 'deployment: recreate, scale and pause',
    play: async (stage) => {
      const type = resources.deployments;
      await make(stage, type, 'web', deployment(2, { strategy: { type: 'Recreate' } }));
      await until(stage, type, 'web', ({ availableReplicas }) => availableReplicas === 2);
      await change(stage, type, 'web', { template: { spec: { containers: [{ name: 'c', image: 'web:2' }] } } });
      await until(
        stage,
        type,
        'web',
        ({ updatedReplicas, availableReplicas }) => updatedReplicas === 2 && availableReplicas === 2,
      );
      await change(stage, type, 'web', { paused: true, replicas: 4 });
      await until(stage, type, 'web', ({ availableReplicas }) => availableReplicas === 4);
    },
  },
  {
    name: 'deployment: progress deadline',
    play: async (stage) => {
      const type = resources.deployments;
      const annotations = { 'simulation.kubechain.dev/failure': 'image-pull-error' };
      const spec = deployment(2, { progressDeadlineSeconds: 2, template: template('web', {}, annotations) });
      await make(stage, type, 'web', spec);
      await until(stage, type, 'web', ({ conditions }) =>
        JSON.stringify(conditions).includes('ProgressDeadlineExceeded'),
      );
    },
  },
  {
    name: 'deployment: quota',
    play: async (stage) => {
      await stage.client
        .resource(resources.resourcequotas)
        .create({ metadata: { name: 'few', namespace: stage.namespace }, spec: { hard: { pods: '1' } } });
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      await make(stage, resources.deployments, 'web', deployment(2));
      await until(stage, resources.deployments, 'web', hasCondition('ReplicaFailure'));
    },
  },
  {
    name: 'replica set: scaled down, released and adopted',
    play: async (stage) => {
      const type = resources.replicasets;
      const { client, namespace } = stage;
      await make(stage, type, 'web', deployment(3));
      await until(stage, type, 'web', ({ readyReplicas }) => readyReplicas === 3);
      await change(stage, type, 'web', { replicas: 1 });
      await until(stage, type, 'web', ({ replicas }) => replicas === 1);
      const [pod] = (await client.resource(resources.pods).list({ namespace, labelSelector: 'app=web' })).items;
      await client
        .resource(resources.pods)
        .patch({ namespace, name: pod?.metadata?.name ?? '' }, { metadata: { labels: { app: 'other' } } });
      await until(stage, type, 'web', ({ readyReplicas }) => readyReplicas === 1);
    },
  },
  {
    name: 'stateful set: ordered, scaled, partition, claims',
    play: async (stage) => {
      const type = resources.statefulsets;
      await make(stage, type, 'db', {
        replicas: 2,
        serviceName: 'db',
        selector: { matchLabels: { app: 'db' } },
        template: template('db'),
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } },
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
      });
      await until(stage, type, 'db', ({ readyReplicas }) => readyReplicas === 2);
      await change(stage, type, 'db', { template: { spec: { containers: [{ name: 'c', image: 'web:2' }] } } });
      await until(
        stage,
        type,
        'db',
        ({ updatedReplicas, readyReplicas }) => updatedReplicas === 1 && readyReplicas === 2,
      );
      await change(stage, type, 'db', { replicas: 1 });
      await until(stage, type, 'db', ({ replicas }) => replicas === 1);
    },
  },
  {
    name: 'stateful set: parallel',
    play: async (stage) => {
      const type = resources.statefulsets;
      const spec = {
        replicas: 3,
        selector: { matchLabels: { app: 'db' } },
        template: template('db'),
        podManagementPolicy: 'Parallel',
      };
      await make(stage, type, 'db', spec);
      await until(stage, type, 'db', ({ readyReplicas }) => readyReplicas === 3);
      await change(stage, type, 'db', { replicas: 1 });
      await until(stage, type, 'db', ({ replicas }) => replicas === 1);
    },
  },
  {
    name: 'daemon set: rolling update',
    play: async (stage) => {
      const type = resources.daemonsets;
      await make(stage, type, 'agent', { selector: { matchLabels: { app: 'agent' } }, template: template('agent') });
      await until(stage, type, 'agent', ({ numberAvailable }) => numberAvailable === 3);
      await change(stage, type, 'agent', { template: { spec: { containers: [{ name: 'c', image: 'web:2' }] } } });
      await until(
        stage,
        type,
        'agent',
        ({ updatedNumberScheduled, numberAvailable }) => updatedNumberScheduled === 3 && numberAvailable === 3,
      );
    },
  },
  {
    name: 'job: several completions',
    play: async (stage) => {
      await make(stage, resources.jobs, 'job', job({ completions: 3, parallelism: 2 }));
      await until(stage, resources.jobs, 'job', hasCondition('Complete'));
    },
  },
  {
    name: 'job: indexed',
    play: async (stage) => {
      await make(stage, resources.jobs, 'job', job({ completions: 3, parallelism: 3, completionMode: 'Indexed' }));
      await until(stage, resources.jobs, 'job', hasCondition('Complete'));
    },
  },
  {
    name: 'job: back-off limit',
    play: async (stage) => {
      await make(stage, resources.jobs, 'job', job({ backoffLimit: 1 }, {}, failing));
      await until(stage, resources.jobs, 'job', hasCondition('Failed'));
    },
  },
  {
    name: 'job: failure policy',
    play: async (stage) => {
      const rules = [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [1] } }];
      await make(stage, resources.jobs, 'job', job({ backoffLimit: 3, podFailurePolicy: { rules } }, {}, failing));
      await until(stage, resources.jobs, 'job', hasCondition('Failed'));
    },
  },
  {
    name: 'job: success policy',
    play: async (stage) => {
      const successPolicy = { rules: [{ succeededIndexes: '0' }] };
      const spec = job({ completions: 2, parallelism: 1, completionMode: 'Indexed', successPolicy });
      await make(stage, resources.jobs, 'job', spec);
      await until(stage, resources.jobs, 'job', hasCondition('Complete'));
    },
  },
  {
    name: 'job: suspended and resumed',
    play: async (stage) => {
      await make(stage, resources.jobs, 'job', job({ suspend: true }));
      await until(stage, resources.jobs, 'job', hasCondition('Suspended'));
      await change(stage, resources.jobs, 'job', { suspend: false });
      await until(stage, resources.jobs, 'job', hasCondition('Complete'));
    },
  },
  {
    name: 'job: deadline',
    play: async (stage) => {
      const spec = job({ activeDeadlineSeconds: 2 }, {}, { 'simulation.kubechain.dev/run-seconds': '1000' });
      await make(stage, resources.jobs, 'job', spec);
      await until(stage, resources.jobs, 'job', hasCondition('Failed'));
    },
  },
  {
    name: 'cron job: every few seconds, history',
    play: async (stage) => {
      const spec = {
        schedule: '@every 3s',
        successfulJobsHistoryLimit: 1,
        jobTemplate: { spec: job() },
      };
      await make(stage, resources.cronjobs, 'cron', spec);
      await until(stage, resources.cronjobs, 'cron', ({ lastSuccessfulTime }) => lastSuccessfulTime !== undefined);
      await change(stage, resources.cronjobs, 'cron', { suspend: true });
      await until(stage, resources.cronjobs, 'cron', ({ active }) => active === undefined);
    },
  },
  {
    name: 'job: deleted when it has ended for long enough',
    play: async (stage) => {
      const { client, namespace } = stage;
      for (const [name, ttlSecondsAfterFinished] of Object.entries({ now: 0, soon: 2, later: 3_600 }))
        await make(stage, resources.jobs, name, job({ ttlSecondsAfterFinished }));
      await make(stage, resources.jobs, 'never', job());
      for (const name of ['later', 'never'])
        await until(stage, resources.jobs, name, ({ succeeded }) => succeeded === 1);
      const left = async (type: ResourceType): Promise<number> =>
        (await client.resource(type).list({ namespace })).items.length;
      await eventually(async () => (await left(resources.jobs as ResourceType)) === 2, patient);
      await eventually(async () => (await left(resources.pods as ResourceType)) === 2, patient);
    },
  },
  {
    name: 'budget: counted, bare pods and no pods',
    play: async (stage) => {
      const type = resources.poddisruptionbudgets;
      const selector = { matchLabels: { app: 'web' } };
      await make(stage, resources.deployments, 'web', deployment(3));
      await stage.client.resource(resources.pods).create({
        metadata: { name: 'bare', namespace: stage.namespace, labels: { app: 'bare' } },
        spec: { containers: [container] },
      });
      await until(stage, resources.deployments, 'web', ({ availableReplicas }) => availableReplicas === 3);
      await make(stage, type, 'web', { selector, maxUnavailable: '50%' });
      await make(stage, type, 'none', { selector: { matchLabels: { app: 'none' } }, minAvailable: 1 });
      await make(stage, type, 'bare', { selector: { matchLabels: { app: 'bare' } }, maxUnavailable: 1 });
      await until(stage, type, 'web', ({ disruptionsAllowed }) => disruptionsAllowed === 2);
      await until(stage, resources.deployments, 'web', ({ availableReplicas }) => availableReplicas === 3);
    },
  },
  {
    name: 'autoscaler: no metrics, limits',
    play: async (stage) => {
      await make(stage, resources.deployments, 'web', deployment(4));
      await until(stage, resources.deployments, 'web', ({ availableReplicas }) => availableReplicas === 4);
      const metrics = [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
      ];
      const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
      await make(stage, resources.horizontalpodautoscalers, 'web', { scaleTargetRef, maxReplicas: 2, metrics });
      await make(stage, resources.horizontalpodautoscalers, 'lost', {
        scaleTargetRef: { ...scaleTargetRef, name: 'lost' },
        maxReplicas: 2,
        metrics,
      });
      await until(stage, resources.horizontalpodautoscalers, 'web', hasCondition('AbleToScale'));
      await until(stage, resources.horizontalpodautoscalers, 'web', ({ conditions }) =>
        JSON.stringify(conditions).includes('FailedGetResourceMetric'),
      );
    },
  },
  {
    name: 'replication controller: scaled',
    play: async (stage) => {
      const type = resources.replicationcontrollers;
      await make(stage, type, 'web', { replicas: 2, selector: { app: 'web' }, template: template('web') });
      await until(stage, type, 'web', ({ readyReplicas }) => readyReplicas === 2);
      await change(stage, type, 'web', { replicas: 1 });
      await until(stage, type, 'web', ({ replicas }) => replicas === 1);
    },
  },
  {
    name: 'replica set: orphans adopted',
    play: async (stage) => {
      const { client, namespace } = stage;
      await client.resource(resources.pods).create({
        metadata: { name: 'orphan', namespace, labels: { app: 'web' } },
        spec: { containers: [container] },
      });
      await make(stage, resources.replicasets, 'web', deployment(2));
      await until(stage, resources.replicasets, 'web', ({ readyReplicas }) => readyReplicas === 2);
    },
  },
  {
    name: 'deployment: adopts what it left',
    play: async (stage) => {
      const { client, namespace } = stage;
      const type = resources.deployments;
      await make(stage, type, 'web', deployment(2));
      await until(stage, type, 'web', ({ availableReplicas }) => availableReplicas === 2);
      await client.resource(type).delete({ name: 'web', namespace }, { propagationPolicy: 'Orphan' });
      await eventually(async () => (await client.resource(type).list({ namespace })).items.length === 0, patient);
      await make(stage, type, 'web', deployment(3));
      await until(stage, type, 'web', ({ availableReplicas }) => availableReplicas === 3);
    },
  },
  {
    name: 'deployment: scaled in the middle of a rollout that is stuck, history kept short',
    play: async (stage) => {
      const type = resources.deployments;
      const rollingUpdate = { maxSurge: 2, maxUnavailable: 1 };
      const strategy = { type: 'RollingUpdate', rollingUpdate };
      await make(stage, type, 'web', deployment(4, { strategy, revisionHistoryLimit: 0, minReadySeconds: 1 }));
      await until(stage, type, 'web', ({ availableReplicas }) => availableReplicas === 4);
      const annotations = { 'simulation.kubechain.dev/failure': 'crash-loop' };
      await change(stage, type, 'web', { template: { metadata: { annotations } } });
      await until(stage, type, 'web', ({ updatedReplicas, replicas }) => updatedReplicas === 3 && replicas === 6);
      await change(stage, type, 'web', { replicas: 8 });
      await until(stage, type, 'web', ({ replicas }) => replicas === 10);
    },
  },
  {
    name: 'stateful set: updated, claims deleted with it',
    play: async (stage) => {
      const type = resources.statefulsets;
      await make(stage, type, 'db', {
        replicas: 3,
        serviceName: 'db',
        selector: { matchLabels: { app: 'db' } },
        template: template('db'),
        persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete', whenDeleted: 'Delete' },
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
          },
        ],
      });
      await until(stage, type, 'db', ({ readyReplicas }) => readyReplicas === 3);
      await change(stage, type, 'db', { template: { spec: { containers: [{ name: 'c', image: 'web:2' }] } } });
      await until(
        stage,
        type,
        'db',
        ({ currentRevision, readyReplicas, updateRevision }) =>
          currentRevision === updateRevision && readyReplicas === 3,
      );
      await change(stage, type, 'db', { replicas: 2 });
      await until(stage, type, 'db', ({ replicas }) => replicas === 2);
    },
  },
  {
    name: 'stateful set: a pod is deleted, one fails',
    play: async (stage) => {
      const { client, namespace } = stage;
      const type = resources.statefulsets;
      const spec = {
        replicas: 2,
        serviceName: 'db',
        selector: { matchLabels: { app: 'db' } },
        template: template('db'),
      };
      await make(stage, type, 'db', spec);
      await until(stage, type, 'db', ({ readyReplicas }) => readyReplicas === 2);
      await client.resource(resources.pods).delete({ namespace, name: 'db-1' });
      await until(stage, type, 'db', ({ readyReplicas }) => readyReplicas === 1);
      await until(stage, type, 'db', ({ readyReplicas }) => readyReplicas === 2);
      await client
        .resource(resources.pods)
        .patch({ namespace, name: 'db-0' }, { status: { phase: 'Failed' } }, { subresource: 'status' });
      await until(stage, type, 'db', ({ readyReplicas }) => readyReplicas === 2);
    },
  },
  {
    name: 'daemon set: one node, surge',
    play: async (stage) => {
      const type = resources.daemonsets;
      await make(stage, type, 'agent', {
        selector: { matchLabels: { app: 'agent' } },
        template: template('agent', { nodeSelector: { 'kubernetes.io/hostname': 'node-0' } }),
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      });
      await until(stage, type, 'agent', ({ numberAvailable }) => numberAvailable === 1);
      await change(stage, type, 'agent', { template: { spec: { containers: [{ name: 'c', image: 'web:2' }] } } });
      await until(
        stage,
        type,
        'agent',
        ({ updatedNumberScheduled, numberAvailable }) => updatedNumberScheduled === 1 && numberAvailable === 1,
      );
    },
  },
  {
    name: 'daemon set: on delete, and a pod that fails',
    play: async (stage) => {
      const { client, namespace } = stage;
      const type = resources.daemonsets;
      await make(stage, type, 'agent', {
        selector: { matchLabels: { app: 'agent' } },
        template: template('agent'),
        updateStrategy: { type: 'OnDelete' },
      });
      await until(stage, type, 'agent', ({ numberAvailable }) => numberAvailable === 3);
      await change(stage, type, 'agent', { template: { spec: { containers: [{ name: 'c', image: 'web:2' }] } } });
      await until(stage, type, 'agent', ({ updatedNumberScheduled = 0 }) => updatedNumberScheduled === 0);
      const { items } = await client.resource(resources.pods).list({ namespace });
      await client
        .resource(resources.pods)
        .patch(
          { namespace, name: items[0]?.metadata?.name ?? '' },
          { status: { phase: 'Failed' } },
          { subresource: 'status' },
        );
      await until(stage, type, 'agent', ({ updatedNumberScheduled }) => updatedNumberScheduled === 1);
      await until(stage, type, 'agent', ({ numberAvailable }) => numberAvailable === 3);
    },
  },
  {
    name: 'job: indexes that fail, each with its limit',
    play: async (stage) => {
      const spec = { completions: 2, parallelism: 2, completionMode: 'Indexed', backoffLimitPerIndex: 1 };
      await make(stage, resources.jobs, 'job', job(spec, {}, failing));
      await until(stage, resources.jobs, 'job', hasCondition('Failed'));
    },
  },
  {
    name: 'job: replaced when failed, fewer at a time',
    play: async (stage) => {
      const annotations = { 'simulation.kubechain.dev/run-seconds': '10' };
      const spec = { completions: 4, parallelism: 4, podReplacementPolicy: 'Failed' };
      await make(stage, resources.jobs, 'job', job(spec, {}, annotations));
      await until(stage, resources.jobs, 'job', ({ ready }) => ready === 4);
      await change(stage, resources.jobs, 'job', { parallelism: 2 });
      await until(stage, resources.jobs, 'job', hasCondition('Complete'));
    },
  },
  {
    name: 'job: failures that count, and those that are ignored',
    play: async (stage) => {
      const rules = [
        { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
        { action: 'Count', onExitCodes: { operator: 'In', values: [1] } },
      ];
      const spec = job({ backoffLimit: 0, podFailurePolicy: { rules } }, {}, failing);
      await make(stage, resources.jobs, 'job', spec);
      await until(stage, resources.jobs, 'job', hasCondition('Failed'));
    },
  },
  {
    name: 'job: suspended in the middle',
    play: async (stage) => {
      const annotations = { 'simulation.kubechain.dev/run-seconds': '10' };
      await make(stage, resources.jobs, 'job', job({ completions: 2, parallelism: 2 }, {}, annotations));
      await until(stage, resources.jobs, 'job', ({ ready }) => ready === 2);
      await change(stage, resources.jobs, 'job', { suspend: true });
      await until(stage, resources.jobs, 'job', ({ active = 0 }) => active === 0);
      await until(stage, resources.jobs, 'job', hasCondition('Suspended'));
    },
  },
  {
    name: 'job: deleted when its time is over',
    play: async (stage) => {
      const { client, namespace } = stage;
      await make(stage, resources.jobs, 'job', job({ ttlSecondsAfterFinished: 1 }));
      await eventually(
        async () => (await client.resource(resources.jobs).list({ namespace })).items.length === 0,
        patient,
      );
    },
  },
  {
    name: 'node: taints, tolerated for a while, for ever and not at all',
    play: async (stage) => {
      const { client, namespace } = stage;
      const node = await makeNode(stage);
      const tolerating = (tolerationSeconds?: number): object => ({
        key: 'away',
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds,
      });
      await makePod(stage, 'patient', node, [tolerating()]);
      await makePod(stage, 'soon', node, [tolerating(2)]);
      await makePod(stage, 'later', node, [tolerating(600)]);
      await makePod(stage, 'never', node, []);
      await client
        .resource(resources.nodes)
        .patch({ name: node }, { spec: { taints: [{ key: 'away', effect: 'NoExecute' }, keptFree] } });
      const leaving = async (name: string): Promise<boolean> =>
        (await client.resource(resources.pods).get({ name, namespace })).metadata?.deletionTimestamp !== undefined;
      await eventually(async () => (await leaving('never')) && (await leaving('soon')), patient);
      await client.resource(resources.nodes).patch({ name: node }, { spec: { taints: [keptFree] } });
    },
  },
  {
    name: 'node: silent',
    play: async (stage) => {
      const { client, namespace } = stage;
      const node = await makeNode(stage);
      await makePod(stage, 'ready', node, []);
      await client
        .resource(resources.pods)
        .patch(
          { name: 'ready', namespace },
          { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } },
          { subresource: 'status', type: 'application/strategic-merge-patch+json' },
        );
      await eventually(
        async () =>
          (await client.resource(resources.pods).get({ name: 'ready', namespace })).status?.conditions?.some(
            ({ status, type }) => type === 'Ready' && status === 'False',
          ),
        { withinMs: 120_000 },
      );
    },
  },
  {
    name: 'revisions: named by templates of all sorts',
    play: async (stage) => {
      const matching = { selector: { matchLabels: { app: 'x' } } };
      for (const [i, { template }] of manyTemplates.entries()) {
        await make(stage, resources.deployments, `d${i}`, { ...matching, replicas: 0, template });
        await make(stage, resources.statefulsets, `s${i}`, { ...matching, replicas: 0, template });
        const nowhere = { ...template, spec: { ...template.spec, nodeSelector: { nowhere: '' } } };
        await make(stage, resources.daemonsets, `a${i}`, { ...matching, template: nowhere });
      }
    },
  },
  ...['Forbid', 'Replace'].map((concurrencyPolicy): Scenario => ({
    name: `cron job: ${concurrencyPolicy.toLowerCase()}s what still runs`,
    play: async (stage) => {
      const annotations = { 'simulation.kubechain.dev/run-seconds': '1000' };
      const jobTemplate = { spec: job({}, {}, annotations) };
      await make(stage, resources.cronjobs, 'cron', { schedule: '@every 62s', concurrencyPolicy, jobTemplate });
      const { namespace } = stage;
      const reason = concurrencyPolicy === 'Forbid' ? 'JobAlreadyActive' : 'SuccessfulDelete';
      await eventually(
        async () =>
          (
            await stage.client
              .resource(resources.events)
              .list({ namespace, fieldSelector: `involvedObject.name=cron,reason=${reason}` })
          ).items.length > 0,
        { withinMs: 180_000 },
      );
      await change(stage, resources.cronjobs, 'cron', { suspend: true });
    },
  })),
  {
    name: 'claims for devices: of a template, of one that has ended, and one that nobody uses any more',
    play: async (stage) => {
      const { client, namespace } = stage;
      const deviceClassName = `gpu--${namespace}`;
      const driver = 'gpu.example.com';
      const selectors = [{ cel: { expression: `device.driver == "${driver}"` } }];
      await client
        .resource(resources.deviceclasses)
        .create({ metadata: { name: deviceClassName }, spec: { selectors } });
      await client.resource(resources.resourceslices).create({
        metadata: { name: deviceClassName },
        spec: {
          driver,
          pool: { name: 'everywhere', generation: 1, resourceSliceCount: 1 },
          allNodes: true,
          devices: ['one', 'two', 'three'].map((name) => ({ name })),
        },
      });
      const spec = { devices: { requests: [{ name: 'r', exactly: { deviceClassName } }] } };
      await make(stage, resources.resourceclaimtemplates, 'gpu', { metadata: { labels: { of: 'template' } }, spec });
      await make(stage, resources.resourceclaims, 'own', spec);
      const pod = (name: string, claim: object, more: object = {}): Promise<unknown> =>
        make(stage, resources.pods, name, {
          terminationGracePeriodSeconds: 0,
          containers: [container],
          resourceClaims: [{ name: 'gpu', ...claim }],
          ...more,
        });
      const ended = { restartPolicy: 'Never', containers: [{ ...container, command: ['true'] }] };
      await pod('running', { resourceClaimTemplateName: 'gpu' });
      await until(stage, resources.pods, 'running', ({ phase }) => phase === 'Running');
      await pod('ended', { resourceClaimTemplateName: 'gpu' }, ended);
      await pod('user', { resourceClaimName: 'own' });
      await pod('templateless', { resourceClaimTemplateName: 'nothing' });
      await until(stage, resources.pods, 'user', ({ phase }) => phase === 'Running');
      await until(stage, resources.pods, 'ended', ({ phase }) => phase === 'Succeeded');
      await client.resource(resources.pods).delete({ name: 'user', namespace });
      await until(stage, resources.resourceclaims, 'own', ({ allocation }) => allocation === undefined);
    },
  },
];
