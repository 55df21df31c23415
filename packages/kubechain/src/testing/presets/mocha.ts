/** `mocha --require kubechain/testing/mocha`: one environment for the run, found by `KUBECONFIG`. */
import { RunEnvironment } from './run-environment.ts';

const environment = new RunEnvironment();

export async function mochaGlobalSetup(): Promise<void> {
  await environment.start();
}

export async function mochaGlobalTeardown(): Promise<void> {
  await environment.stop();
}
