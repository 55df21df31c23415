import { loopTurns } from '@kubechain/apimachinery';

/**
 * The most at a time; the reference doubles without an end. They wait one behind the other for the requests that a
 * controller may send in a second, and what it does for others waits behind all of them.
 */
const MOST_AT_ONCE = 32;

/**
 * Calls `create` up to `count` times, in batches of 1, 2, 4, … 32 at a time; after a batch with a failure there is
 * none. What fails once, for want of quota say, would fail each time. Others have the thread between two batches, also
 * where there is nothing to wait for.
 */
export async function slowStart(
  count: number,
  create: (index: number) => Promise<void>,
): Promise<{ readonly successes: number; readonly error: unknown }> {
  let successes = 0;
  for (let done = 0, size = Math.min(count, 1); size > 0; size = Math.min(2 * size, MOST_AT_ONCE, count - done)) {
    const outcomes = await Promise.allSettled(Array.from({ length: size }, (_, i) => create(done + i)));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    successes += outcomes.filter((outcome) => outcome.status === 'fulfilled').length;
    if (failed !== undefined) return { successes, error: failed.reason };
    done += size;
    const turn = loopTurns.next();
    if (turn !== undefined) await turn;
  }
  return { successes, error: undefined };
}
