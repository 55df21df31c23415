/** jest's `globalTeardown: 'kubechain/testing/jest-teardown'`, for what `kubechain/testing/jest` or `jest-worker` has started. */

const place = globalThis as { kubechainOfRun?: { stop(): Promise<void> } };

export default async function globalTeardown(): Promise<void> {
  await place.kubechainOfRun?.stop();
  delete place.kubechainOfRun;
}
