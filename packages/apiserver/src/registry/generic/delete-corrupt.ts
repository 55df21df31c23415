import { invalid, invalidValue } from '@kubechain/apimachinery';
import { isStorageError, keyError } from '@kubechain/shared-storage';
import { Logger } from '../../logging/logger.ts';
import type { RESTContext } from '../rest/storage.ts';
import { interpretStorageError } from '../storage-errors.ts';
import type { StoreContext } from './store-context.ts';

const log = new Logger('registry');

/**
 * Removes an object that is stored and cannot be read (registry/generic/registry/corrupt_obj_deleter.go, 1.36 and
 * 1.37). Nothing that would need the object is done: no preconditions, finalizers, admission or hooks. That it is gone
 * already is no error.
 *
 * @throws StatusError Invalid for an object that can be read, or is not there; since 1.37 Conflict or NotFound
 */
export async function deleteCorruptObject(
  store: StoreContext,
  { context, dryRun, name }: { readonly context: RESTContext; readonly dryRun: boolean; readonly name: string },
): Promise<void> {
  const key = store.key(context, name);
  const { signal } = context.request;
  const resource = store.groupResource(context);
  if (store.environment.release?.since('1.37') === true) {
    try {
      await refuseReadable(store, key, signal);
    } catch (error) {
      throw interpretStorageError(error, 'delete', resource, name);
    }
  } else if (!(await isCorrupt(store, key, signal))) {
    throw invalid({ group: resource.group, kind: resource.resource }, name, [
      invalidValue(
        'ignoreStoreReadErrorWithClusterBreakingPotential',
        true,
        'is exclusively used to delete corrupt object(s), try again by removing this option',
      ),
    ]);
  }
  if (dryRun) return;
  log.info('going to perform unsafe object deletion', {
    resource: resource.resource,
    namespace: context.namespace,
    name,
  });
  try {
    await store.storage.delete(key, { ignoreStoreReadError: true, signal });
  } catch (error) {
    if (!isStorageError(error, 'KeyNotFound')) throw interpretStorageError(error, 'delete', resource, name);
  }
}

/** What can be read is not deleted unread. @throws StorageError */
async function refuseReadable(store: StoreContext, key: string, signal: AbortSignal): Promise<void> {
  let record;
  try {
    record = await store.storage.get(key, { uncached: true, signal });
  } catch (error) {
    if (isStorageError(error, 'CorruptObject')) return;
    throw error;
  }
  if (record === undefined) throw keyError('KeyNotFound', key);
  throw keyError('InvalidObject', key, 'unsafe deletion is not allowed because the object is decodable from storage');
}

/** Upstream takes every other failure of the read for a sign that this is the wrong way to delete. */
async function isCorrupt(store: StoreContext, key: string, signal: AbortSignal): Promise<boolean> {
  try {
    await store.storage.get(key, { uncached: true, signal });
    return false;
  } catch (error) {
    return isStorageError(error, 'CorruptObject');
  }
}
