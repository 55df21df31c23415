import { keyError } from '../storage/errors.ts';
import type { GetOptions, ObjectRecord } from '../storage/interfaces.ts';
import { parseResourceVersion, toldRevision } from '../storage/resource-version.ts';
import { prepareKey } from '../storage/storage-key.ts';
import { describeCorrupt } from './corrupt-objects.ts';
import { toStorageError, tooLargeResourceVersion } from './storage-errors.ts';
import { measuredRange, stateOf } from './store-context.ts';
import type { StoreContext } from './store-context.ts';

/** Reads one key at the latest revision, whatever resourceVersion asks for, which only bounds it from below. */
export async function get(context: StoreContext, key: string, options: GetOptions): Promise<ObjectRecord | undefined> {
  const prepared = prepareKey(context.keyRoot, key, false);
  options.answeredBy?.('store');
  const minimum = parseResourceVersion(options.resourceVersion ?? '');
  let response;
  try {
    response = await measuredRange(context, 'get', { range: { key: prepared }, options: { signal: options.signal } });
  } catch (error) {
    throw toStorageError(error, prepared);
  }
  if (minimum > response.revision)
    throw tooLargeResourceVersion(prepared, toldRevision(options, minimum), response.revision);
  const kv = response.kvs[0];
  if (kv !== undefined) {
    try {
      return (await stateOf(context, kv)).record;
    } catch (error) {
      throw describeCorrupt(context, prepared, error);
    }
  }
  if (options.ignoreNotFound === true) return undefined;
  throw keyError('KeyNotFound', prepared);
}
