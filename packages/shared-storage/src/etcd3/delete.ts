import { keyError } from '../storage/errors.ts';
import type { DeleteOptions, ObjectRecord } from '../storage/interfaces.ts';
import { RevisedRecord } from '../storage/revised-record.ts';
import { checkPreconditions } from '../storage/preconditions.ts';
import { prepareKey } from '../storage/storage-key.ts';
import { corruptRecord } from './corrupt-record.ts';
import { measuredTxn, readKeyValue, readState, stateOf } from './store-context.ts';
import type { StoreContext } from './store-context.ts';

/**
 * Deletes the state that was checked, and no other: one transaction compared on its revision, repeated with the new
 * state when it has changed (storage.Interface.Delete). Resolves to that state with the revision of the deletion.
 */
export async function deleteObject(context: StoreContext, key: string, options: DeleteOptions): Promise<ObjectRecord> {
  const prepared = prepareKey(context.keyRoot, key, false);
  if (options.ignoreStoreReadError === true) return deleteUnread(context, prepared, options);
  const read = async (): Promise<ObjectRecord> => {
    const state = await readState(context, prepared, { signal: options.signal });
    if (state === undefined) throw keyError('KeyNotFound', prepared);
    return state.record;
  };
  let current = options.cached === undefined;
  let record = options.cached ?? (await read());
  for (;;) {
    try {
      const failed = checkPreconditions(prepared, record, options.preconditions);
      if (failed !== undefined) throw failed;
      await options.validate?.(record);
    } catch (error) {
      if (current) throw error;
      // Only a state that is still the stored one can refuse the deletion.
      const cachedRevision = record.revision;
      record = await read();
      current = true;
      if (record.revision === cachedRevision) throw error;
      continue;
    }
    const { succeeded, revision, responses } = await deleteAt(context, prepared, {
      revision: record.revision,
      signal: options.signal,
    });
    if (succeeded) return new RevisedRecord(record, revision);
    const kv = responses[0]?.[0];
    if (kv === undefined) throw keyError('KeyNotFound', prepared);
    record = (await stateOf(context, kv)).record;
    current = true;
  }
}

/** Deletes an object that need not be readable. */
async function deleteUnread(context: StoreContext, key: string, options: DeleteOptions): Promise<ObjectRecord> {
  for (let kv = await readKeyValue(context, key, { signal: options.signal }); kv !== undefined;) {
    const { succeeded, revision, responses } = await deleteAt(context, key, {
      revision: kv.modRevision,
      signal: options.signal,
    });
    if (succeeded) return corruptRecord(key, revision);
    kv = responses[0]?.[0];
  }
  throw keyError('KeyNotFound', key);
}

function deleteAt(
  context: StoreContext,
  key: string,
  request: { readonly revision: number; readonly signal: AbortSignal | undefined },
): ReturnType<typeof measuredTxn> {
  return measuredTxn(context, 'delete', {
    key,
    txn: {
      compare: [{ key, modRevision: request.revision }],
      success: [{ kind: 'delete', request: { key } }],
      failure: [{ kind: 'range', request: { key } }],
    },
    options: { signal: request.signal },
  });
}
