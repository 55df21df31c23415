import { prepareKey } from '../storage/storage-key.ts';
import { prefixRangeEnd } from '../etcd-client/prefix-range.ts';
import { toStorageError } from './storage-errors.ts';
import { measuredRange } from './store-context.ts';
import type { StoreContext } from './store-context.ts';

/** Number of keys under a prefix; values are not read. */
export async function count(context: StoreContext, key: string, signal: AbortSignal | undefined): Promise<number> {
  const prefix = prepareKey(context.keyRoot, key, true);
  try {
    const response = await measuredRange(context, 'listWithCount', {
      range: { key: prefix, rangeEnd: prefixRangeEnd(prefix), countOnly: true },
      options: { signal },
    });
    return response.count;
  } catch (error) {
    throw toStorageError(error, prefix);
  }
}

/** The revision of a linearizable read that touches no object: the key is a prefix, at which nothing is stored. */
export async function currentRevision(context: StoreContext, signal: AbortSignal | undefined): Promise<number> {
  const key = `${context.keyRoot}/`;
  try {
    const response = await measuredRange(context, 'get', { range: { key, countOnly: true }, options: { signal } });
    return response.revision;
  } catch (error) {
    throw toStorageError(error, key);
  }
}
