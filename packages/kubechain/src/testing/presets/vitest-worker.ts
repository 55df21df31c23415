/**
 * vitest's `globalSetup` and `setupFiles`: one environment for each worker, found by `KUBECONFIG` from the first line
 * of a file of tests.
 */
import { hasWorkerEnvironments, useWorkerEnvironment } from './worker-environment.ts';
import { WorkerEnvironments } from './worker-environments.ts';

let environments: WorkerEnvironments | undefined;

/** Resolves when workers may ask for environments. */
export async function setup(): Promise<void> {
  environments = new WorkerEnvironments();
  await environments.start();
}

/** Ends them. */
export async function teardown(): Promise<void> {
  await environments?.stop();
}

// Beside each file of tests.
if (hasWorkerEnvironments()) await useWorkerEnvironment();
