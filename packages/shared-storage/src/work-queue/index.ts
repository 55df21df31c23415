/** Entry point `@kubechain/shared-storage/work-queue`: keys that wait to be worked on, as client-go's queues. */
export type { Sharing } from './key-order.ts';
export { runWorkers } from './run-workers.ts';
export { WorkQueue } from './work-queue.ts';
