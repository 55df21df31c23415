import { whenAborted, type GroupResource, type KubeObject } from '@kubechain/apimachinery';
import type { ResourceType } from '../client/resource-type.ts';
import type { Controller, ControllerContext } from './controller.ts';

/**
 * A controller that is made when the servers have the resource that it is for, and otherwise rests until the process
 * ends: what depends on feature gates of the servers.
 */
export function whereServed<T extends KubeObject = KubeObject>(
  context: ControllerContext,
  wanted: GroupResource,
  make: (type: ResourceType<T>) => Promise<Controller>,
): Controller {
  let made: Controller | undefined;
  return {
    run: async (signal) => {
      if (made === undefined) {
        const type = await context.served.find(wanted, signal);
        if (type === undefined) return whenAborted(signal);
        made = await make(type as ResourceType<KubeObject> as ResourceType<T>);
      }
      await made.run(signal);
    },
  };
}
