import { isEtcdError } from '../etcd-client/etcd-error.ts';
import type { TxnResponse } from '../etcd-client/etcd-client.ts';
import { isStorageError } from '../storage/errors.ts';
import { toStorageError } from './storage-errors.ts';
import type { StoreContext } from './store-context.ts';

export interface LeasedWrite {
  readonly ttlSeconds: number;
  readonly signal?: AbortSignal | undefined;
  readonly write: (lease: bigint) => Promise<TxnResponse>;
}

/**
 * Writes a key under a lease; once more with another lease when etcd does not know the shared one any more. @throws
 * StorageError
 */
export async function writeLeased(context: StoreContext, key: string, request: LeasedWrite): Promise<TxnResponse> {
  const lease = await grant(context, key, request);
  try {
    return await request.write(lease);
  } catch (error) {
    if (!isStorageError(error) || !isEtcdError(error.cause, 'LeaseNotFound')) throw error;
    context.leases.forget(lease);
    return request.write(await grant(context, key, request));
  }
}

async function grant(context: StoreContext, key: string, { ttlSeconds, signal }: LeasedWrite): Promise<bigint> {
  try {
    return await context.leases.lease(ttlSeconds, { signal });
  } catch (error) {
    throw toStorageError(error, key);
  }
}
