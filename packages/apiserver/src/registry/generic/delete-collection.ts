import { append, isNotFound } from '@kubechain/apimachinery';
import type { ListResult, ObjectRecord } from '@kubechain/shared-storage';
import type { DeleteOptions, ListOptions, RESTContext, ValidateObject } from '../rest/storage.ts';
import { deleteObject } from './delete.ts';
import type { StoreContext } from './store-context.ts';

/** Objects are listed in pages of this size when the caller set no limit. */
const pageSize = 10_000;

export interface DeleteCollectionCall {
  readonly context: RESTContext;
  readonly validate: ValidateObject;
  readonly options: DeleteOptions;
  readonly listOptions: ListOptions;
}

/**
 * Deletes what a list selects, page by page, with `deleteCollectionWorkers` deletions at a time. Not atomic: after a
 * failure some objects are gone. Objects that disappear meanwhile are no failure.
 */
export async function deleteCollection(store: StoreContext, call: DeleteCollectionCall): Promise<ListResult> {
  const { context, listOptions } = call;
  const items: ObjectRecord[] = [];
  let first: ListResult | undefined;
  let page: ListOptions = listOptions.limit > 0 ? listOptions : { ...listOptions, limit: pageSize };
  for (;;) {
    context.request.signal.throwIfAborted();
    const list = await store.list(context, page);
    // Before the first of them is deleted: where one is not worked on here, none is.
    if (first === undefined) for (const { json } of list.items) await context.turns?.before(json);
    await deleteAll(store, call, list.items);
    if (listOptions.limit > 0) return list;
    first ??= list;
    append(items, list.items);
    if (list.continue === '') break;
    page = { ...page, continue: list.continue, resourceVersion: '', resourceVersionMatch: '' };
  }
  const { continue: more, remainingItemCount, resourceVersion } = first;
  return {
    items,
    resourceVersion,
    continue: more,
    ...(remainingItemCount === undefined ? {} : { remainingItemCount }),
  };
}

async function deleteAll(
  store: StoreContext,
  call: DeleteCollectionCall,
  records: readonly ObjectRecord[],
): Promise<void> {
  let next = 0;
  let failed = false;
  const worker = async (): Promise<void> => {
    while (next < records.length && !failed) {
      const record = records[next++] as ObjectRecord;
      const context: RESTContext = store.spec.namespaced
        ? { ...call.context, namespace: record.attributes.namespace }
        : call.context;
      try {
        await deleteObject(store, {
          context,
          name: record.attributes.name,
          validate: (object) => call.validate(object),
          options: call.options,
        });
      } catch (error) {
        if (isNotFound(error)) continue;
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(
    Array.from({ length: Math.max(1, Math.min(store.deleteCollectionWorkers, records.length)) }, worker),
  );
}
