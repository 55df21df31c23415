import { monotonicClock, sleep, type TimerClock } from '@kubechain/apimachinery';
import type { EtcdClient } from '@kubechain/shared-storage/etcd';

const pollMs = 25;
/** Longer than what one write of a beginning chain brings about takes. */
const quietMs = 250;
const longestMs = 30_000;

/** The store was never left alone. */
export class RestlessStoreError extends Error {
  override readonly name = 'RestlessStoreError';
}

/**
 * Resolves to a store's revision when it has not grown for a quarter of a second of the machine's time.
 * @throws RestlessStoreError after half a minute
 */
export async function quietRevision(client: EtcdClient, clock: TimerClock = monotonicClock): Promise<number> {
  const { signal } = new AbortController();
  const startedAt = clock.now();
  let since = startedAt;
  let revision = await revisionOf(client);
  while (clock.now() - since < quietMs) {
    if (clock.now() - startedAt > longestMs)
      throw new RestlessStoreError(`the store is written to all the time: revision ${revision} after half a minute`);
    await sleep(clock, pollMs, signal);
    const now = await revisionOf(client);
    if (now !== revision) since = clock.now();
    revision = now;
  }
  return revision;
}

async function revisionOf(client: EtcdClient): Promise<number> {
  return (await client.range({ key: '/', countOnly: true })).revision;
}
