/** A target is fed in a thread, so that one that never ends can be told of and stopped. */
import { parentPort, workerData } from 'node:worker_threads';
import { runTarget, type FuzzBounds } from './run-target.ts';
import { fuzzTargets } from './targets.ts';

const { bounds, name, progress } = workerData as {
  readonly name: string;
  readonly bounds: FuzzBounds;
  readonly progress: Int32Array;
};
const target = fuzzTargets.find((one) => one.name === name);
if (target === undefined) throw new Error(`no target ${name}`);
const outcome = await runTarget(target, bounds, {
  now: () => performance.now(),
  onAttempt: (attempt) => {
    Atomics.store(progress, 0, attempt);
  },
});
parentPort?.postMessage(outcome);
