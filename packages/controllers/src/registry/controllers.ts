import type { ControllerDescriptor } from '../controller/controller.ts';
import { lifecycleControllers } from './lifecycle-controllers.ts';
import { nodeControllers } from './node-controllers.ts';
import { simulationControllers } from './simulation-controllers.ts';
import { storageControllers } from './storage-controllers.ts';
import { workloadControllers } from './workload-controllers.ts';

/** All controllers that there are, in the order in which they are started. */
export function allControllers(): readonly ControllerDescriptor[] {
  return [
    ...lifecycleControllers,
    ...workloadControllers,
    ...nodeControllers,
    ...storageControllers,
    ...simulationControllers,
  ];
}
