import { isStorageError } from '@kubechain/shared-storage';
import type { RESTContext } from '../rest/storage.ts';
import type { StoreContext } from './store-context.ts';

/**
 * Where the control API wants another writer to be faster than a request: writes its object anew as it is, so that its
 * resourceVersion grows and watchers are told. Once for each request; an object that is not there is left alone.
 * @throws StorageError
 */
export async function overtake(store: StoreContext, { request }: RESTContext, key: string): Promise<void> {
  if (request.overtaken !== true) return;
  request.overtaken = false;
  try {
    await store.storage.guaranteedUpdate(key, ({ object }) => ({ object: object ?? {} }), {
      evenIfUnchanged: true,
      signal: request.signal,
    });
  } catch (error) {
    if (!isStorageError(error, 'KeyNotFound')) throw error;
  }
}
