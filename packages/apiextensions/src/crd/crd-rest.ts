import { builtinRelease, formatTime, isConflict } from '@kubechain/apimachinery';
import type { Clock, Release } from '@kubechain/apimachinery';
import {
  builtinResourceSpec,
  createResource,
  createStatusStorage,
  interpretStorageError,
  isRecord,
  refuseUnmetPreconditions,
  storageWithoutDeletes,
} from '@kubechain/apiserver/resources';
import type {
  DeleteOptions,
  RESTContext,
  RESTResult,
  RESTStorage,
  Store,
  StoreEnvironment,
  ValidateObject,
} from '@kubechain/apiserver/resources';
import { recordedMetadata } from '@kubechain/shared-storage';
import type { ObjectRecord, RESTOptionsGetter } from '@kubechain/shared-storage';
import { cleanupFinalizer } from './crd-finalizer.ts';
import type { CustomResourceDefinition } from '../definition/crd-types.ts';
import { crdTable } from './crd-table.ts';
import { withCondition } from './set-condition.ts';
import { crdScheme } from './stored-form.ts';
import type { RuleChecker } from '../validation/rule-checker.ts';
import { customResourceDefinitionStatusStrategy, customResourceDefinitionStrategyOf } from './strategy.ts';

const resource = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' };

/** What happens around writes of CRDs: called when they are stored, awaited before the client is answered. */
export interface CRDListener {
  changed(record: ObjectRecord): Promise<void>;
}

/** Storage of CRDs, and its endpoints. */
export interface CRDRegistry {
  readonly store: Store;
  readonly endpoints: ReadonlyMap<string, RESTStorage>;
}

/**
 * Makes the storage of customresourcedefinitions with a DELETE that waits for the objects
 * (pkg/registry/customresourcedefinition/etcd.go, 1.36).
 */
export function createCRDRegistry(
  restOptions: RESTOptionsGetter,
  environment: StoreEnvironment & { readonly release?: Release; readonly rules?: RuleChecker },
  listener: CRDListener,
): CRDRegistry {
  const { clock, release = builtinRelease, rules } = environment;
  const changed = (result: RESTResult): Promise<void> =>
    isRecord(result) ? listener.changed(result) : Promise.resolve();
  const store = createResource(
    builtinResourceSpec({
      group: 'apiextensions.k8s.io',
      plural: 'customresourcedefinitions',
      anyFinalizers: true,
      ...(release.since('1.37') ? { table: crdTable } : {}),
      strategy: customResourceDefinitionStrategyOf(release, rules),
      scheme: crdScheme(),
      memoryVersion: { group: 'apiextensions.k8s.io', version: 'v1' },
      storageVersion: { group: 'apiextensions.k8s.io', version: 'v1beta1' },
      hooks: {
        afterCreate: (result, _context, options) => (options.dryRun ? undefined : changed(result)),
        afterUpdate: (result, _context, options) => (options.dryRun ? undefined : changed(result)),
      },
    }),
    restOptions,
    { environment },
  );
  const main: RESTStorage = {
    ...storageWithoutDeletes(store),
    delete: (context, name, validate, options) =>
      deleteCRD(store, { context, name, validate, options, clock, listener, release }),
    deleteCorrupt: (context, name, options) => store.deleteCorrupt(context, name, options),
    // As in the reference, whose collections are deleted by the generic store: at once, and without the objects.
    deleteCollection: (context, validate, options, listOptions) =>
      store.deleteCollection(context, validate, options, listOptions),
  };
  return {
    store,
    endpoints: new Map([
      ['customresourcedefinitions', main],
      ['customresourcedefinitions/status', createStatusStorage(store, customResourceDefinitionStatusStrategy)],
    ]),
  };
}

interface DeleteCall {
  readonly context: RESTContext;
  readonly validate: ValidateObject;
  readonly options: DeleteOptions;
  readonly clock: Clock;
  readonly listener: CRDListener;
  readonly release: Release;
}

async function deleteCRD(
  store: Store,
  call: DeleteCall & { readonly name: string },
): Promise<{ readonly result: RESTResult; readonly deleted: boolean }> {
  const { context, name, options } = call;
  const record = await store.get(context, name, {});
  const metadata = recordedMetadata(record);
  const words = call.release.since('1.37') ? 'precondition failed' : undefined;
  refuseUnmetPreconditions(resource, metadata, options.preconditions ?? {}, words);
  const preconditions = { ...options.preconditions, uid: options.preconditions?.uid ?? metadata.uid ?? '' };
  if (metadata.deletionTimestamp !== undefined)
    return store.delete(context, name, call.validate, { ...options, preconditions });
  const mark = async (crd: CustomResourceDefinition): Promise<CustomResourceDefinition> => {
    await call.validate(crd);
    markForDeletion(crd, formatTime(call.clock.now()));
    return crd;
  };
  if (options.dryRun) return { result: await mark(record.object() as CustomResourceDefinition), deleted: false };
  try {
    const marked = await store.storage.guaranteedUpdate(
      store.key(context, name),
      async ({ object }) => {
        const crd = (object ?? {}) as CustomResourceDefinition;
        const isChanged = crd.metadata.deletionTimestamp === undefined;
        return { object: await mark(crd), isChanged };
      },
      { preconditions, signal: context.request.signal },
    );
    void call.listener.changed(marked);
    return { result: marked, deleted: false };
  } catch (error) {
    throw isConflict(error) ? error : interpretStorageError(error, 'delete', resource, name);
  }
}

/** Has the definition wait for its objects before it goes. */
function markForDeletion(crd: CustomResourceDefinition, now: string): void {
  crd.metadata.deletionTimestamp ??= now;
  if (crd.metadata.finalizers?.includes(cleanupFinalizer) !== true)
    crd.metadata.finalizers = [...(crd.metadata.finalizers ?? []), cleanupFinalizer];
  crd.status = {
    ...crd.status,
    conditions: withCondition(
      crd.status?.conditions ?? [],
      {
        type: 'Terminating',
        status: 'True',
        reason: 'InstanceDeletionPending',
        message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
      },
      now,
    ),
  };
}
