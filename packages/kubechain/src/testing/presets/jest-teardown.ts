/** jest's `globalTeardown: 'kubechain/testing/jest-teardown'`, for what `kubechain/testing/jest` has started. */
import type { RunEnvironment } from './run-environment.ts';

const place = globalThis as { kubechainOfRun?: RunEnvironment };

export default async function globalTeardown(): Promise<void> {
  await place.kubechainOfRun?.stop();
  delete place.kubechainOfRun;
}
