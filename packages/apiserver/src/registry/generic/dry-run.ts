import { checkPreconditions, StorageError } from '@kubechain/shared-storage';
import type {
  DeleteOptions,
  GuaranteedUpdateOptions,
  ObjectRecord,
  Preconditions,
  StorageInterface,
  UpdateFunction,
} from '@kubechain/shared-storage';
import { formatGroupVersion, gvkOf, toStoredForm } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { RESTResult } from '../rest/storage.ts';
import type { ResourceSpec } from './resource-spec.ts';
import type { StoreContext } from './store-context.ts';

/**
 * What a write would do, without writing (registry/generic/registry/dryrun.go): all checks against the current state
 * are made, the result is the object that would be stored, without a new resourceVersion.
 */
export async function dryRunCreate(store: StoreContext, key: string, object: KubeObject): Promise<RESTResult> {
  if ((await store.storage.get(key, { ignoreNotFound: true })) !== undefined)
    throw new StorageError('KeyExists', 'key exists', { key });
  return asStored(store, object);
}

export async function dryRunDelete(store: StoreContext, key: string, options: DeleteOptions): Promise<ObjectRecord> {
  const record = await existing(store.storage, key);
  refuseUnmet(ownKey(store, key), record, options.preconditions);
  await options.validate?.(record);
  return record;
}

/**
 * What {@link StorageInterface.guaranteedUpdate} would do: the object that would be stored.
 *
 * @throws StorageError `KeyNotFound`, or `InvalidObject` for preconditions that are not met
 */
export async function dryRunUpdate(
  store: StoreContext,
  key: string,
  update: UpdateFunction,
  options: GuaranteedUpdateOptions,
): Promise<RESTResult> {
  const { storage } = store;
  const record =
    options.ignoreNotFound === true ? await storage.get(key, { ignoreNotFound: true }) : await existing(storage, key);
  refuseUnmet(ownKey(store, key), record, options.preconditions);
  const turn = record === undefined ? undefined : options.turn?.(record.json);
  if (turn !== undefined) await turn;
  const output = await update({ object: record?.object(), record });
  return asStored(store, output.object);
}

/**
 * The key as the storage's caller knows it: without the prefix of all resources, which only the storage itself adds.
 */
function ownKey({ keyRoot, resourcePrefix }: StoreContext, key: string): string {
  return resourcePrefix + key.slice(keyRoot.length);
}

function asStored(store: StoreContext, object: KubeObject): KubeObject | Promise<KubeObject> {
  const { spec, storage } = store;
  return (
    storage.asRead?.(object) ??
    throughStorageVersion(spec, toStoredForm(object, spec.scheme.kind(gvkOf(object))?.schema))
  );
}

/** What is stored in another version is read as it comes back from that, which may have no room for all of it. */
function throughStorageVersion(
  { memoryVersion, scheme, storageVersion = memoryVersion }: ResourceSpec,
  object: KubeObject,
): KubeObject | Promise<KubeObject> {
  if (formatGroupVersion(storageVersion) === formatGroupVersion(memoryVersion)) return object;
  const stored = scheme.convert(structuredClone(object), storageVersion);
  return stored instanceof Promise
    ? stored.then((converted) => scheme.convert(converted, memoryVersion))
    : scheme.convert(stored, memoryVersion);
}

async function existing(storage: StorageInterface, key: string): Promise<ObjectRecord> {
  const record = await storage.get(key);
  if (record === undefined) throw new StorageError('KeyNotFound', 'key not found', { key });
  return record;
}

function refuseUnmet(key: string, record: ObjectRecord | undefined, preconditions: Preconditions | undefined): void {
  const unmet = checkPreconditions(key, record, preconditions);
  if (unmet !== undefined) throw unmet;
}
