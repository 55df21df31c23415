import type { ControllerDescriptor } from '../controller/controller.ts';

/**
 * What makes a cluster of a control plane: a scheduler, for real nodes too, and, where `--nodes` asks for them, nodes
 * with kubelets that run nothing. All act with the identity of `--simulation-kubeconfig`; without one nothing is
 * scheduled.
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
      context.flags.simulation.nodes === 0 && context.flags.simulation['simulation-kubeconfig'] === ''
        ? undefined
        : new (await import('../scheduler/elected-scheduler.ts')).ElectedScheduler(context),
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
    name: 'object-simulator',
    aliases: [],
    onByDefault: true,
    group: 'lifecycle',
    serviceAccount: undefined,
    simulates: true,
    make: async (context) => (await import('../stages/object-simulator.ts')).newObjectSimulator(context),
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
