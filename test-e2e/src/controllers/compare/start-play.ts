import type { ControllerFlags } from '@kubechain/controllers';
import { startLiveCluster, type LiveCluster } from '../live-cluster.ts';
import type { Play } from './plays.ts';

/** Who works in each play: what is compared works with them. */
export const simulated: readonly string[] = ['kube-scheduler', 'node-simulator', 'volume-simulator'];

/** Three played nodes, and controllers with the flags of a play. */
export function startPlay({ flags = {}, prepare }: Play, controllers: readonly string[]): Promise<LiveCluster> {
  return startLiveCluster({
    controllers,
    ...(prepare === undefined ? {} : { prepare }),
    controllerFlags: (defaults) => {
      const merged: Record<string, object> = {};
      for (const [set, values] of Object.entries(defaults))
        merged[set] = { ...values, ...flags[set as keyof ControllerFlags] };
      const all = merged as unknown as ControllerFlags;
      return { ...all, simulation: { ...all.simulation, nodes: 3 } };
    },
  });
}
