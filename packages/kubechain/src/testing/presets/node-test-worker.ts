/**
 * `node --test --test-global-setup=… --import kubechain/testing/node-test-worker`, with a file of yours that says
 * `export * from 'kubechain/testing/node-test-worker'`: one environment for each worker, found by `KUBECONFIG` from the
 * first line of a file of tests.
 */
import { hasWorkerEnvironments, useWorkerEnvironment } from './worker-environment.ts';
import { WorkerEnvironments } from './worker-environments.ts';

let environments: WorkerEnvironments | undefined;

/** Resolves when workers may ask for environments. */
export async function globalSetup(): Promise<void> {
  environments = new WorkerEnvironments();
  await environments.start();
}

/** Ends them. */
export async function globalTeardown(): Promise<void> {
  await environments?.stop();
}

// In the process of each file of tests.
if (hasWorkerEnvironments()) await useWorkerEnvironment();
