import type { ControllerDescriptor } from '../controller/controller.ts';

/** What watches nodes and moves pods away from those that fail. */
export const nodeControllers: readonly ControllerDescriptor[] = [
  {
    name: 'node-lifecycle-controller',
    aliases: ['nodelifecycle'],
    onByDefault: true,
    group: 'nodes',
    serviceAccount: 'node-controller',
    make: async (context) =>
      new (await import('../nodelifecycle/node-lifecycle-controller.ts')).NodeLifecycleController(context),
  },
  {
    name: 'taint-eviction-controller',
    aliases: [],
    onByDefault: true,
    group: 'nodes',
    serviceAccount: 'node-controller',
    make: async (context) =>
      new (await import('../tainteviction/taint-eviction-controller.ts')).TaintEvictionController(context),
  },
  {
    name: 'device-taint-eviction-controller',
    aliases: [],
    onByDefault: true,
    group: 'nodes',
    serviceAccount: 'device-taint-eviction-controller',
    make: async (context) =>
      new (await import('../devicetainteviction/device-taint-eviction-controller.ts')).DeviceTaintEvictionController(
        context,
      ),
  },
  {
    name: 'ttl-controller',
    aliases: ['ttl'],
    onByDefault: true,
    group: 'nodes',
    serviceAccount: 'ttl-controller',
    make: async (context) => new (await import('../ttl/ttl-controller.ts')).TTLController(context),
  },
];
