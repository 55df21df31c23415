/** vitest's `globalSetup: 'kubechain/testing/vitest'`: one environment for the run, found by `KUBECONFIG`. */
import { RunEnvironment } from './run-environment.ts';

const environment = new RunEnvironment();

export async function setup(): Promise<void> {
  await environment.start();
}

export async function teardown(): Promise<void> {
  await environment.stop();
}
