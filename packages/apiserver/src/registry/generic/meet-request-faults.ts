import { notFound, parseFieldSelector } from '@kubechain/apimachinery';
import { isStorageError, type ObjectRecord } from '@kubechain/shared-storage';
import { selectionPredicate } from '../rest/selection-predicate.ts';
import type { ListOptions, RESTContext } from '../rest/storage.ts';
import { interpretStorageError } from '../storage-errors.ts';
import type { Store } from './store.ts';

/**
 * Lets the requests for a resource meet the faults that the control API has set for them. Only where there is a control
 * API: the Store of any other chain knows nothing of faults.
 */
export function meetRequestFaults(store: Store): void {
  const own = {
    delete: store.delete.bind(store),
    get: store.get.bind(store),
    list: store.list.bind(store),
    update: store.update.bind(store),
  };
  store.get = async (context, name, options) => {
    const revision = context.request.fault?.readAt;
    if (revision === undefined) return own.get(context, name, options);
    // Gets cannot ask for a revision: the only item of a list of that name.
    const { items } = await own.list(context, {
      predicate: selectionPredicate(undefined, parseFieldSelector(`metadata.name=${name}`)),
      ...listedAt(revision),
      limit: 0,
      continue: '',
      name,
    });
    const [found] = items;
    if (found === undefined) throw notFound(store.groupResource(context), name);
    return found as ObjectRecord;
  };
  store.list = async (context, options) => {
    const revision = context.request.fault?.readAt;
    return own.list(context, revision === undefined ? options : { ...options, ...listedAt(revision) });
  };
  store.update = async (context, name, info, options) => {
    await overtake(store, context, { name, verb: 'update' });
    return own.update(context, name, info, options);
  };
  store.delete = async (context, name, validate, options) => {
    await overtake(store, context, { name, verb: 'delete' });
    return own.delete(context, name, validate, options);
  };
}

function listedAt(revision: number): Pick<ListOptions, 'resourceVersion' | 'resourceVersionMatch'> {
  return { resourceVersion: String(revision), resourceVersionMatch: 'Exact' };
}

/**
 * Where another writer is to be faster than a request: writes its object anew as it is, so that its resourceVersion
 * grows and watchers are told. Once for each request; an object that is not there is left alone.
 * @throws StatusError
 */
async function overtake(
  store: Store,
  context: RESTContext,
  { name, verb }: { readonly name: string; readonly verb: 'update' | 'delete' },
): Promise<void> {
  const { fault, signal } = context.request;
  if (fault?.overtaken !== true) return;
  fault.overtaken = false;
  try {
    await store.storage.guaranteedUpdate(store.key(context, name), ({ object }) => ({ object: object ?? {} }), {
      evenIfUnchanged: true,
      signal,
    });
  } catch (error) {
    if (!isStorageError(error, 'KeyNotFound'))
      throw interpretStorageError(error, verb, store.groupResource(context), name);
  }
}
