/** `mocha --require kubechain/testing/mocha`: one environment for the run, found by `KUBECONFIG`. */
import { RunEnvironment } from './run-environment.ts';

const environment = new RunEnvironment();

/** Resolves when the environment is ready. */
export async function mochaGlobalSetup(): Promise<void> {
  await environment.start();
}

/** Ends it. */
export async function mochaGlobalTeardown(): Promise<void> {
  await environment.stop();
}
