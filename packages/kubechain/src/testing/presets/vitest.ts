/** vitest's `globalSetup: 'kubechain/testing/vitest'`: one environment for the run, found by `KUBECONFIG`. */
import { RunEnvironment } from './run-environment.ts';

const environment = new RunEnvironment();

/** Resolves when the environment is ready. */
export async function setup(): Promise<void> {
  await environment.start();
}

/** Ends it. */
export async function teardown(): Promise<void> {
  await environment.stop();
}
