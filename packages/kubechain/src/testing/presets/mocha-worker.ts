/**
 * `mocha --parallel --require kubechain/testing/mocha-worker`: one environment for each worker, found by
 * `KUBECONFIG` in tests and hooks.
 */
import { useWorkerEnvironment } from './worker-environment.ts';
import { WorkerEnvironments } from './worker-environments.ts';

let environments: WorkerEnvironments | undefined;

/** Resolves when workers may ask for environments. */
export async function mochaGlobalSetup(): Promise<void> {
  environments = new WorkerEnvironments();
  await environments.start();
}

/** Ends them. */
export async function mochaGlobalTeardown(): Promise<void> {
  await environments?.stop();
}

/** Gives each worker the environment that is its own. */
export const mochaHooks = {
  async beforeAll(this: { timeout(ms: number): unknown }): Promise<void> {
    this.timeout(0);
    await useWorkerEnvironment();
  },
};
