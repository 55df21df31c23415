// All servers on one thread of the test, and a process for each. A project chooses; these tests show that both do the same.
import { startTestEnvironment, type TestEnvironment } from 'kubechain/testing';
import { afterAll, beforeAll, describe } from 'vitest';

export const topologies = ['all-in-one', 'processes'] as const;
type Topology = (typeof topologies)[number];

/** One of each for all files of a worker: tests leave it as it was right after its start. They end with the process. */
const started = new Map<Topology, Promise<TestEnvironment>>();

/** Suites of tests in both; they find the environment by calling what they are given. */
export function inBothTopologies(tests: (env: () => TestEnvironment) => void): void {
  describe.each(topologies)('%s', (topology) => {
    let env: TestEnvironment;
    beforeAll(async () => {
      if (!started.has(topology)) started.set(topology, startTestEnvironment({ topology, control: true }));
      env = await started.get(topology)!;
    });
    tests(() => env);
    afterAll(async () => {
      await env.faults.clear();
      await env.clock.reset();
      await env.snapshots.reset();
    });
  });
}
