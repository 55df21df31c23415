import type { ControllerDescriptor } from '../controller/controller.ts';

/** What makes pods of templates. */
export const workloadControllers: readonly ControllerDescriptor[] = [
  {
    name: 'replicationcontroller-controller',
    aliases: ['replicationcontroller'],
    onByDefault: true,
    group: 'workloads',
    serviceAccount: 'replication-controller',
    make: async (context) => {
      const { ReplicaSetController } = await import('../replicaset/replica-set-controller.ts');
      const { replicationControllers } = await import('../replicaset/replicated-kinds.ts');
      return new ReplicaSetController(
        context,
        replicationControllers,
        context.flags.concurrency['concurrent-rc-syncs'],
      );
    },
  },
  {
    name: 'replicaset-controller',
    aliases: ['replicaset'],
    onByDefault: true,
    group: 'workloads',
    serviceAccount: 'replicaset-controller',
    make: async (context) => {
      const { ReplicaSetController } = await import('../replicaset/replica-set-controller.ts');
      const { replicaSets } = await import('../replicaset/replicated-kinds.ts');
      return new ReplicaSetController(context, replicaSets, context.flags.concurrency['concurrent-replicaset-syncs']);
    },
  },
  {
    name: 'deployment-controller',
    aliases: ['deployment'],
    onByDefault: true,
    group: 'workloads',
    serviceAccount: 'deployment-controller',
    make: async (context) => new (await import('../deployment/deployment-controller.ts')).DeploymentController(context),
  },
  {
    name: 'job-controller',
    aliases: ['job'],
    onByDefault: true,
    group: 'workloads',
    serviceAccount: 'job-controller',
    make: async (context) => new (await import('../job/job-controller.ts')).JobController(context),
  },
  {
    name: 'cronjob-controller',
    aliases: ['cronjob'],
    onByDefault: true,
    group: 'workloads',
    serviceAccount: 'cronjob-controller',
    make: async (context) => new (await import('../cronjob/cron-job-controller.ts')).CronJobController(context),
  },
  {
    name: 'daemonset-controller',
    aliases: ['daemonset'],
    onByDefault: true,
    group: 'workloads',
    serviceAccount: 'daemon-set-controller',
    make: async (context) => new (await import('../daemon/daemon-set-controller.ts')).DaemonSetController(context),
  },
  {
    name: 'statefulset-controller',
    aliases: ['statefulset'],
    onByDefault: true,
    group: 'workloads',
    serviceAccount: 'statefulset-controller',
    make: async (context) =>
      new (await import('../statefulset/stateful-set-controller.ts')).StatefulSetController(context),
  },
  {
    name: 'disruption-controller',
    aliases: ['disruption'],
    onByDefault: true,
    group: 'workloads',
    serviceAccount: 'disruption-controller',
    make: async (context) => new (await import('../disruption/disruption-controller.ts')).DisruptionController(context),
  },
  {
    name: 'horizontal-pod-autoscaler-controller',
    aliases: ['horizontalpodautoscaling'],
    onByDefault: true,
    group: 'workloads',
    serviceAccount: 'horizontal-pod-autoscaler',
    make: async (context) =>
      new (await import('../podautoscaler/horizontal-controller.ts')).HorizontalController(context),
  },
  {
    name: 'ttl-after-finished-controller',
    aliases: ['ttl-after-finished'],
    onByDefault: true,
    group: 'workloads',
    serviceAccount: 'ttl-after-finished-controller',
    make: async (context) =>
      new (await import('../ttlafterfinished/ttl-after-finished-controller.ts')).TTLAfterFinishedController(context),
  },
  {
    name: 'pod-garbage-collector-controller',
    aliases: ['podgc'],
    onByDefault: true,
    group: 'workloads',
    serviceAccount: 'pod-garbage-collector',
    make: async (context) => new (await import('../podgc/pod-gc-controller.ts')).PodGCController(context),
  },
  {
    name: 'resourceclaim-controller',
    aliases: ['resource-claim-controller'],
    onByDefault: true,
    group: 'workloads',
    serviceAccount: 'resource-claim-controller',
    make: async (context) =>
      new (await import('../devices/resource-claim-controller.ts')).ResourceClaimController(context),
  },
];
