/**
 * `node --test --test-global-setup=…` (Node 24 and later; a file of yours that says
 * `export * from 'kubechain/testing/node-test'`): one environment for the run, found by `KUBECONFIG`.
 */
import { RunEnvironment } from './run-environment.ts';

const environment = new RunEnvironment();

/** Resolves when the environment is ready. */
export async function globalSetup(): Promise<void> {
  await environment.start();
}

/** Ends it. */
export async function globalTeardown(): Promise<void> {
  await environment.stop();
}
