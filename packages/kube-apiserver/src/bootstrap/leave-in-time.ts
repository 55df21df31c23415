import { sleep } from '@kubechain/apimachinery';
import type { TimerClock } from '@kubechain/apimachinery';

/** Longest that stopping waits for a server to be taken out of a list of those that are there. */
const removalTimeoutMs = 2_000;

/** Waits until a server that stops has been taken out of a list, but not for long. Rejects as `removal` does. */
export async function leaveInTime(clock: TimerClock, removal: Promise<void> | undefined): Promise<void> {
  const over = new AbortController();
  try {
    await Promise.race([removal, sleep(clock, removalTimeoutMs, over.signal)]);
  } finally {
    over.abort();
  }
}
