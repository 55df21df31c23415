// All servers on one thread of the test, and a process for each. A project chooses; these tests show that both do the same.
import { startTestEnvironment } from 'kubechain/testing';

export const topologies = ['all-in-one', 'processes'];

/** One of each for all files: tests leave it as it was right after its start. */
const started = new Map();
after(async () => {
  for (const env of started.values()) await (await env).stop();
});

/** Suites of tests in both; they find the environment by calling what they are given. */
export function inBothTopologies(title, tests) {
  for (const topology of topologies)
    describe(`${title} (${topology})`, () => {
      let env;
      before(async () => {
        if (!started.has(topology)) started.set(topology, startTestEnvironment({ topology, control: true }));
        env = await started.get(topology);
      });
      tests(() => env);
      after(async () => {
        await env.faults.clear();
        await env.clock.reset();
        await env.snapshots.reset();
      });
    });
}
