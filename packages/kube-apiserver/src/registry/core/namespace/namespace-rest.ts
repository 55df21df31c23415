import { foregroundFinalizer, formatTime, orphanFinalizer } from '@kubechain/apimachinery';
import type { Clock, KubeObject } from '@kubechain/apimachinery';
import { interpretStorageError, refuseUnmetPreconditions, storageWithoutDeletes } from '@kubechain/apiserver/resources';
import type {
  DeleteOptions,
  RESTContext,
  RESTResult,
  RESTStorage,
  Store,
  ValidateObject,
} from '@kubechain/apiserver/resources';
import type { ObjectRecord, Preconditions } from '@kubechain/shared-storage';
import { specFinalizers } from './strategy.ts';

const resource = { group: '', resource: 'namespaces' };

/**
 * Namespaces as the main endpoint serves them: the generic store without deletecollection, and with a DELETE that
 * first only begins termination (pkg/registry/core/namespace/storage, 1.36).
 */
export function namespaceREST(store: Store, clock: Clock): RESTStorage {
  return {
    ...storageWithoutDeletes(store),
    delete: (context, name, validate, options) => deleteNamespace(store, { context, name, validate, options, clock }),
    close: () => store.close(),
  };
}

interface DeleteNamespaceCall {
  readonly context: RESTContext;
  readonly name: string;
  readonly validate: ValidateObject;
  readonly options: DeleteOptions;
  readonly clock: Clock;
}

async function deleteNamespace(
  store: Store,
  call: DeleteNamespaceCall,
): Promise<{ readonly result: RESTResult; readonly deleted: boolean }> {
  const { context, name, options } = call;
  const record = await store.get(context, name, {});
  const namespace = record.object();
  const { metadata = {} } = namespace;
  refuseUnmetPreconditions(resource, metadata, options.preconditions ?? {});
  const preconditions = { ...options.preconditions, uid: metadata.uid ?? '' };
  if (metadata.deletionTimestamp === undefined)
    return { result: await terminate(store, call, preconditions), deleted: false };
  if (specFinalizers(namespace).length > 0) return { result: record, deleted: false };
  return store.delete(context, name, call.validate, { ...options, preconditions });
}

/** Marks the namespace as terminating; its content and spec.finalizers are a namespace controller's work. */
async function terminate(
  store: Store,
  call: DeleteNamespaceCall,
  preconditions: Preconditions,
): Promise<ObjectRecord | KubeObject> {
  const { context, name, options, clock } = call;
  const mark = async (namespace: KubeObject): Promise<KubeObject> => {
    await call.validate(namespace);
    const metadata = (namespace.metadata ??= {});
    metadata.deletionTimestamp ??= formatTime(clock.now());
    namespace['status'] = { ...(namespace['status'] as object | undefined), phase: 'Terminating' };
    const finalizers = (metadata.finalizers ?? []).filter(
      (finalizer) => finalizer !== orphanFinalizer && finalizer !== foregroundFinalizer,
    );
    const had = (finalizer: string): boolean => metadata.finalizers?.includes(finalizer) === true;
    if (keeps(options, 'Orphan', had(orphanFinalizer))) finalizers.push(orphanFinalizer);
    if (keeps(options, 'Foreground', had(foregroundFinalizer))) finalizers.push(foregroundFinalizer);
    if (finalizers.length > 0) metadata.finalizers = finalizers;
    else delete metadata.finalizers;
    return namespace;
  };
  try {
    const key = store.key(context, name);
    if (options.dryRun) {
      const record = await store.storage.get(key, { signal: context.request.signal });
      return await mark(record?.object() ?? {});
    }
    return await store.storage.guaranteedUpdate(key, async ({ object }) => ({ object: await mark(object ?? {}) }), {
      preconditions,
      signal: context.request.signal,
    });
  } catch (error) {
    throw interpretStorageError(error, 'update', resource, name);
  }
}

function keeps(options: DeleteOptions, policy: 'Orphan' | 'Foreground', now: boolean): boolean {
  if (options.orphanDependents !== undefined) return options.orphanDependents === (policy === 'Orphan');
  if (options.propagationPolicy !== undefined) return options.propagationPolicy === policy;
  return now;
}
