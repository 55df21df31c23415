import type { ControllerDescriptor } from '../controller/controller.ts';

/**
 * What plays the rest of a cluster, where `--nodes` asks for it: nodes with kubelets that run nothing, and a scheduler.
 * Both act with the identity of `--simulation-kubeconfig`.
 */
export const simulationControllers: readonly ControllerDescriptor[] = [
  {
    name: 'kube-scheduler',
    aliases: ['scheduler'],
    onByDefault: true,
    group: 'nodes',
    serviceAccount: undefined,
    simulates: true,
    make: async (context) =>
      context.flags.simulation.nodes === 0
        ? undefined
        : new (await import('../scheduler/scheduler.ts')).Scheduler(context),
  },
  {
    name: 'node-simulator',
    aliases: [],
    onByDefault: true,
    group: 'nodes',
    serviceAccount: undefined,
    simulates: true,
    make: async (context) =>
      context.flags.simulation.nodes === 0
        ? undefined
        : (await import('../nodes/node-simulator.ts')).newNodeSimulator(context),
  },
  {
    name: 'volume-simulator',
    aliases: [],
    onByDefault: true,
    group: 'nodes',
    serviceAccount: undefined,
    simulates: true,
    make: async (context) =>
      context.flags.simulation.nodes === 0
        ? undefined
        : new (await import('../volume/volume-simulator.ts')).VolumeSimulator(context),
  },
];
