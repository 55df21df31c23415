/** jest's `globalSetup: 'kubechain/testing/jest'`: one environment for the run, found by `KUBECONFIG`. */
import { RunEnvironment } from './run-environment.ts';

/** jest loads setup and teardown apart: what they share is the process. */
const place = globalThis as { kubechainOfRun?: RunEnvironment };

export default async function globalSetup(): Promise<void> {
  place.kubechainOfRun = new RunEnvironment();
  await place.kubechainOfRun.start();
}
