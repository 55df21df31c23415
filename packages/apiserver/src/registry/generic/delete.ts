import { ensureMeta, formatTime, parseTime } from '@kubechain/apimachinery';
import type { KubeObject, Status } from '@kubechain/apimachinery';
import { isStorageError } from '@kubechain/shared-storage';
import type { ObjectRecord, Preconditions, UpdateInput, UpdateOutput } from '@kubechain/shared-storage';
import { timed } from '../../request/timed.ts';
import { beforeDelete, bumpGeneration } from './before-delete.ts';
import { isRecord } from '../rest/result.ts';
import type { DeleteOptions, RESTContext, RESTResult, ValidateDeletion } from '../rest/storage.ts';
import { interpretStorageError } from '../storage-errors.ts';
import { deletionFinalizers } from './deletion-finalizers.ts';
import { dryRunDelete, dryRunUpdate } from './dry-run.ts';
import type { StoreContext } from './store-context.ts';
import type { MutableDeleteOptions } from './strategy.ts';

export interface DeleteCall {
  readonly context: RESTContext;
  readonly name: string;
  readonly validate: ValidateDeletion;
  readonly options: DeleteOptions;
}

export interface DeleteResult {
  readonly result: RESTResult;
  readonly deleted: boolean;
}

/** Thrown inside the marking update: nothing is left to wait for. */
class DeleteNow extends Error {}
/** Thrown inside the marking update: somebody else has begun the deletion, and this one changes nothing about it. */
class AlreadyDeleting extends Error {}

/**
 * Store.Delete of registry/generic/registry/store.go: marks objects that have a grace period or finalizers and
 * removes the others.
 */
export async function deleteObject(store: StoreContext, call: DeleteCall): Promise<DeleteResult> {
  const { context, name } = call;
  const key = store.key(context, name);
  const options: MutableDeleteOptions = { ...call.options };
  let record: ObjectRecord | undefined;
  try {
    record = await store.storage.get(key);
    if (record === undefined) throw new DeleteNow();
  } catch (error) {
    throw interpretStorageError(error, 'delete', store.groupResource(context), name);
  }
  await context.turns?.before(record.json);
  const object = await store.toMemoryVersion(record.object());
  const deletion = beforeDelete(store, object, options);
  if (deletion === 'pending') return { result: await finish(store, record, call, false), deleted: false };

  const finalizers = ensureMeta(object).finalizers ?? [];
  let preconditions = options.preconditions;
  let marked: Marked | undefined;
  if (deletion === 'graceful' || finalizers.length > 0 || gcFinalizers(store, finalizers, options) !== undefined) {
    marked = await mark(store, { ...call, options, key, record });
    if (marked.outcome === 'waiting') return { result: marked.result, deleted: false };
    if (marked.outcome === 'marked') {
      // Our own update made the resourceVersion that the caller asked for obsolete.
      if (preconditions?.resourceVersion !== undefined && isRecord(marked.result))
        preconditions = { ...preconditions, resourceVersion: String(marked.result.revision) };
      if (options.dryRun) return { result: marked.result, deleted: true };
    }
    // The reference answers with the object that it would have updated into, as it made it: empty.
    if (marked.outcome === 'immediate' && options.dryRun) return { result: emptyObject(store), deleted: true };
    // The reference takes the resourceVersion of an update that was not made, and its deletion then fails of that.
    if (marked.outcome === 'immediate' && preconditions?.resourceVersion !== undefined)
      preconditions = { ...preconditions, resourceVersion: '' };
  }
  return remove(store, {
    ...call,
    options,
    key,
    preconditions,
    lastKnown: marked?.outcome === 'marked' ? marked.result : undefined,
  });
}

function emptyObject({ memoryVersion: { group, version }, spec: { kind } }: StoreContext): KubeObject {
  return { apiVersion: group === '' ? version : `${group}/${version}`, kind, metadata: {} };
}

interface MarkCall extends DeleteCall {
  readonly options: MutableDeleteOptions;
  readonly key: string;
  readonly record: ObjectRecord;
}

/**
 * `marked`: deletionTimestamp is set and the grace period is over; `immediate`: nothing had to be marked; `waiting`:
 * for finalizers or time.
 */
type Marked =
  | { readonly outcome: 'marked' | 'waiting'; readonly result: RESTResult }
  | { readonly outcome: 'immediate' };

async function mark(store: StoreContext, call: MarkCall): Promise<Marked> {
  const { context, key, name, options } = call;
  let pendingFinalizers = false;
  let gracePeriod = 0;
  const tryUpdate = async (input: UpdateInput): Promise<UpdateOutput> => {
    const object = await store.toMemoryVersion(input.object as KubeObject);
    await call.validate(object, options);
    const deletion = beforeDelete(store, object, options);
    if (deletion === 'pending') throw new AlreadyDeleting();
    const metadata = ensureMeta(object);
    const finalizers = gcFinalizers(store, metadata.finalizers ?? [], options);
    if (finalizers !== undefined) metadata.finalizers = finalizers;
    pendingFinalizers = (metadata.finalizers?.length ?? 0) > 0;
    if (deletion === 'graceful') {
      gracePeriod = options.gracePeriodSeconds ?? 0;
      return { object };
    }
    if (!pendingFinalizers) throw new DeleteNow();
    markAsDeleting(object, store.environment.clock.now());
    return { object };
  };
  const updateOptions = {
    signal: context.request.signal,
    turn: (json: Uint8Array) => context.turns?.before(json),
    ...(options.preconditions === undefined ? {} : { preconditions: options.preconditions }),
  };
  try {
    const result = options.dryRun
      ? await dryRunUpdate(store, key, tryUpdate, updateOptions)
      : await timed(context.request, 'storage', store.storage.guaranteedUpdate(key, tryUpdate, updateOptions));
    return { outcome: pendingFinalizers || gracePeriod > 0 ? 'waiting' : 'marked', result };
  } catch (error) {
    if (error instanceof DeleteNow) return { outcome: 'immediate' };
    if (error instanceof AlreadyDeleting)
      return { outcome: 'waiting', result: await finish(store, call.record, call, true) };
    throw interpretStorageError(error, 'update', store.groupResource(context), name);
  }
}

/**
 * For deletions that wait for finalizers only: the grace period is zero, and the time is now unless it is earlier
 * already.
 */
function markAsDeleting(object: KubeObject, nowMs: number): void {
  const metadata = ensureMeta(object);
  if (metadata.deletionTimestamp === undefined) bumpGeneration(metadata);
  if (metadata.deletionTimestamp === undefined || parseTime(metadata.deletionTimestamp) > nowMs)
    metadata.deletionTimestamp = formatTime(nowMs);
  metadata.deletionGracePeriodSeconds = 0;
}

interface RemoveCall extends DeleteCall {
  readonly key: string;
  readonly preconditions: Preconditions | undefined;
  /** The state that our own marking left; stands in for the deleted object if somebody else removed it meanwhile. */
  readonly lastKnown: RESTResult | undefined;
}

async function remove(store: StoreContext, call: RemoveCall): Promise<DeleteResult> {
  const { context, key, lastKnown, name, options, preconditions } = call;
  const deleteOptions = {
    signal: context.request.signal,
    validate: async (record: ObjectRecord): Promise<void> => {
      await call.validate(await store.toMemoryVersion(record.object()), options);
    },
    ...(preconditions === undefined ? {} : { preconditions }),
  };
  let removed: RESTResult;
  try {
    removed = options.dryRun
      ? await dryRunDelete(store, key, deleteOptions)
      : await timed(context.request, 'storage', store.storage.delete(key, deleteOptions));
  } catch (error) {
    if (lastKnown === undefined || !isStorageError(error, 'KeyNotFound'))
      throw interpretStorageError(error, 'delete', store.groupResource(context), name);
    removed = lastKnown;
  }
  return { result: await finish(store, removed, call, true), deleted: true };
}

function gcFinalizers(store: StoreContext, current: readonly string[], options: DeleteOptions): string[] | undefined {
  return store.enableGarbageCollection
    ? deletionFinalizers(current, options, store.strategy.garbageCollectionPolicy ?? 'DeleteDependents')
    : undefined;
}

/** What the client gets: the object where the resource returns it, else a Status that says what was deleted. */
async function finish(
  store: StoreContext,
  deleted: RESTResult,
  call: { readonly context: RESTContext; readonly options: DeleteOptions },
  runHooks: boolean,
): Promise<RESTResult> {
  if (runHooks) await store.spec.hooks?.afterDelete?.(deleted, call.context, call.options);
  if (store.spec.returnDeletedObject === true) return deleted;
  const metadata = (isRecord(deleted) ? deleted.object() : deleted).metadata ?? {};
  const { group, resource } = store.groupResource(call.context);
  const status: Status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name: metadata.name ?? '',
      ...(group === '' ? {} : { group }),
      kind: resource,
      ...(metadata.uid === undefined ? {} : { uid: metadata.uid }),
    },
  };
  return status;
}

export interface FinalizedCall {
  readonly context: RESTContext;
  readonly name: string;
  readonly key: string;
  /** As the update left it; that is what its client gets. */
  readonly object: KubeObject;
  readonly preconditions: Preconditions | undefined;
  readonly dryRun: boolean;
}

/** Removes an object whose last finalizer an update has taken away. That somebody else did so first is no error. */
export async function deleteWithoutFinalizers(store: StoreContext, call: FinalizedCall): Promise<RESTResult> {
  const { context, dryRun, key, name, object, preconditions } = call;
  const options = { signal: context.request.signal, ...(preconditions === undefined ? {} : { preconditions }) };
  let removed: RESTResult = object;
  try {
    removed = dryRun ? await dryRunDelete(store, key, options) : await store.storage.delete(key, options);
  } catch (error) {
    if (!isStorageError(error, 'KeyNotFound'))
      throw interpretStorageError(error, 'delete', store.groupResource(context), name);
  }
  await store.spec.hooks?.afterDelete?.(removed, context, { dryRun });
  return object;
}
