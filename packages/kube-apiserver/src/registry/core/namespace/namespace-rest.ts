import { formatTime } from '@kubechain/apimachinery';
import type { Clock, KubeObject } from '@kubechain/apimachinery';
import { interpretStorageError, refuseUnmetPreconditions } from '@kubechain/apiserver/resources';
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
const orphan = 'orphan';
const foreground = 'foregroundDeletion';

/**
 * Namespaces as the main endpoint serves them: the generic store without deletecollection, and with a DELETE that
 * first only begins termination (pkg/registry/core/namespace/storage, 1.36).
 */
export function namespaceREST(store: Store, clock: Clock): RESTStorage {
  return {
    kind: store.kind,
    listKind: store.listKind,
    memoryVersion: store.memoryVersion,
    storageVersion: store.storageVersion,
    namespaced: false,
    singularName: store.singularName,
    shortNames: store.shortNames,
    categories: store.categories,
    ...(store.table === undefined ? {} : { table: store.table }),
    ...(store.resetFields === undefined ? {} : { resetFields: store.resetFields }),
    convertFieldLabel: (term) => store.convertFieldLabel(term),
    get: (context, name, options) => store.get(context, name, options),
    list: (context, options) => store.list(context, options),
    watch: (context, options, sink) => store.watch(context, options, sink),
    create: (context, name, object, options) => store.create(context, name, object, options),
    update: (context, name, info, options) => store.update(context, name, info, options),
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
      (finalizer) => finalizer !== orphan && finalizer !== foreground,
    );
    if (keeps(options, 'Orphan', metadata.finalizers?.includes(orphan) === true)) finalizers.push(orphan);
    if (keeps(options, 'Foreground', metadata.finalizers?.includes(foreground) === true)) finalizers.push(foreground);
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
