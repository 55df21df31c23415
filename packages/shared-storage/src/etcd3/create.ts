import type { KubeObject } from '@kubechain/apimachinery';
import { StorageError, keyError } from '../storage/errors.ts';
import type { ObjectRecord } from '../storage/interfaces.ts';
import { prepareKey } from '../storage/storage-key.ts';
import { toStorageError } from './storage-errors.ts';
import { measuredTxn, writtenRecord } from './store-context.ts';
import type { StoreContext } from './store-context.ts';

/** One transaction: put, if the key does not exist. */
export async function create(context: StoreContext, key: string, request: { readonly object: KubeObject; readonly ttlSeconds?: number | undefined; readonly signal?: AbortSignal | undefined }): Promise<ObjectRecord> {
  const prepared = prepareKey(context.keyRoot, key, false);
  const { object, ttlSeconds, signal } = request;
  const version = object.metadata?.resourceVersion;
  if (version !== undefined && version !== '' && version !== '0') throw new StorageError('Internal', 'resourceVersion should not be set on objects to be created', { key: prepared });
  const encoded = context.codec.encode(object);
  const value = context.transformer === undefined ? encoded : await context.transformer.toStorage(encoded, prepared);
  const lease = ttlSeconds === undefined || ttlSeconds === 0 ? 0n : await grant(context, prepared, { ttlSeconds, signal });
  const { succeeded, revision } = await measuredTxn(context, 'create', {
    key: prepared,
    txn: { compare: [{ key: prepared, modRevision: 0 }], success: [{ kind: 'put', request: { key: prepared, value, lease } }], failure: [] },
    options: { signal },
  });
  if (!succeeded) throw keyError('KeyExists', prepared);
  return writtenRecord(context, prepared, { object, value: encoded, revision });
}

/** A lease for a key. @throws StorageError */
export async function grant(context: StoreContext, key: string, request: { readonly ttlSeconds: number; readonly signal?: AbortSignal | undefined }): Promise<bigint> {
  try {
    return await context.leases.lease(request.ttlSeconds, { signal: request.signal });
  } catch (error) {
    throw toStorageError(error, key);
  }
}
