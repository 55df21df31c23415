/**
 * jest's `globalSetup` and `setupFilesAfterEnv`, with `globalTeardown: 'kubechain/testing/jest-teardown'`: one
 * environment for each worker, found by `KUBECONFIG` in tests and hooks.
 */
import { START_TIMEOUT_MS } from '../start-timeout.ts';
import { hasWorkerEnvironments, useWorkerEnvironment } from './worker-environment.ts';
import { WorkerEnvironments } from './worker-environments.ts';

/** jest loads setup and teardown apart: what they share is the process. */
const place = globalThis as {
  kubechainOfRun?: WorkerEnvironments;
  readonly beforeAll?: (hook: () => Promise<void>, timeoutMs: number) => void;
};

export default async function globalSetup(): Promise<void> {
  place.kubechainOfRun = new WorkerEnvironments();
  await place.kubechainOfRun.start();
}

// Beside each file of tests.
if (hasWorkerEnvironments()) place.beforeAll?.(useWorkerEnvironment, START_TIMEOUT_MS);
