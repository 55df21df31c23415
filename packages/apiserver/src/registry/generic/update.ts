import {
  StatusError,
  conflict,
  ensureMeta,
  goQuote,
  invalid,
  invalidValue,
  isAlreadyExists,
  notFound,
} from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { ObjectRecord, UpdateInput, UpdateOutput } from '@kubechain/shared-storage';
import { timed } from '../../request/timed.ts';
import { beforeCreate } from './before-create.ts';
import { beforeUpdate } from './before-update.ts';
import { parseResourceVersion } from '../rest/object-meta.ts';
import type {
  RESTContext,
  RESTResult,
  UpdatedObjectInfo,
  UpdateOptions,
  ValidateObject,
  ValidateObjectUpdate,
} from '../rest/storage.ts';
import { interpretStorageError } from '../storage-errors.ts';
import { fillSystemFields } from './create.ts';
import { deleteWithoutFinalizers } from './delete.ts';
import { dryRunUpdate } from './dry-run.ts';
import { keepManagedFieldsTimes } from './managed-fields-times.ts';
import type { FinishFunction } from './store-hooks.ts';
import type { StoreContext } from './store-context.ts';

export interface UpdateCall {
  readonly context: RESTContext;
  readonly name: string;
  readonly info: UpdatedObjectInfo;
  readonly validateCreate: ValidateObject;
  readonly validateUpdate: ValidateObjectUpdate;
  readonly options: UpdateOptions;
}

/** Thrown inside an update that turns out to be a deletion: the last finalizer of a dying object is gone. */
class LastFinalizerRemoved extends Error {
  readonly object: KubeObject;
  constructor(object: KubeObject) {
    super('emptied finalizers');
    this.object = object;
  }
}

/**
 * Store.Update of registry/generic/registry/store.go: update, create on update, and deletion by removing the last
 * finalizer.
 */
export async function update(
  store: StoreContext,
  call: UpdateCall,
): Promise<{ readonly result: RESTResult; readonly created: boolean }> {
  const { context, name, options } = call;
  const key = store.key(context, name);
  const attempt = new UpdateAttempt(store, call);
  const allowCreate = attempt.allowCreate;
  const updateOptions = {
    ignoreNotFound: allowCreate,
    signal: context.request.signal,
    turn: (json: Uint8Array) => context.turns?.before(json),
    ...(call.info.preconditions === undefined ? {} : { preconditions: call.info.preconditions }),
    ...(store.spec.isStoredBare === undefined ? {} : { writesFirst: store.spec.isStoredBare }),
  };
  let result: RESTResult;
  try {
    const tryUpdate = (input: UpdateInput): Promise<UpdateOutput> => attempt.run(input);
    result = options.dryRun
      ? await dryRunUpdate(store, key, tryUpdate, updateOptions)
      : await timed(context.request, 'storage', store.storage.guaranteedUpdate(key, tryUpdate, updateOptions));
  } catch (error) {
    await attempt.finish(false);
    if (error instanceof LastFinalizerRemoved) {
      return {
        result: await deleteWithoutFinalizers(store, {
          context,
          name,
          key,
          object: error.object,
          preconditions: call.info.preconditions,
          dryRun: options.dryRun,
        }),
        created: false,
      };
    }
    const interpreted = interpretStorageError(
      error,
      attempt.creating ? 'create' : 'update',
      store.groupResource(context),
      name,
    );
    throw attempt.creating && isAlreadyExists(interpreted) && interpreted !== error
      ? conflictWithOther(store, context, name)
      : interpreted;
  }
  await attempt.finish(true);
  if (attempt.creating && !options.dryRun) store.environment.repeatable?.created(key);
  if (attempt.creating) await store.spec.hooks?.afterCreate?.(result, context, options);
  else await store.spec.hooks?.afterUpdate?.(result, context, options);
  return { result, created: attempt.creating };
}

const modified = 'the object has been modified; please apply your changes to the latest version and try again';

function conflictWithOther(store: StoreContext, context: RESTContext, name: string): StatusError {
  return conflict(store.groupResource(context), name, modified);
}

/** The work of one update; `run` is called again when somebody else was faster. */
class UpdateAttempt {
  readonly #store: StoreContext;
  readonly #call: UpdateCall;
  readonly allowCreate: boolean;
  /** Whether the last run made a new object. */
  creating = false;
  #finish: FinishFunction | undefined;

  constructor(store: StoreContext, call: UpdateCall) {
    this.#store = store;
    this.#call = call;
    this.allowCreate = store.strategy.allowCreateOnUpdate === true || call.options.forceAllowCreate;
  }

  /**
   * Keeps or gives back what the last run's hook began; nothing when there is none. Upstream keeps it before the
   * write is tried, which a lost race then leaves behind.
   */
  async finish(success: boolean): Promise<void> {
    const finish = this.#finish;
    this.#finish = undefined;
    await finish?.(success);
  }

  async run(input: UpdateInput): Promise<UpdateOutput> {
    await this.finish(false);
    const { object: stored, record } = input;
    if (stored === undefined || record === undefined) return this.#create();
    this.creating = false;
    return this.#update(await this.#store.toMemoryVersion(stored), record);
  }

  async #create(): Promise<UpdateOutput> {
    const store = this.#store;
    const { context, info, name, options } = this.#call;
    if (!this.allowCreate) throw notFound(store.groupResource(context), name);
    const object = await info.updatedObject(context, {});
    fillSystemFields(store, object, context);
    this.creating = true;
    this.#finish = await store.spec.hooks?.beginCreate?.(object, context, options);
    await beforeCreate(store, object, context);
    await this.#call.validateCreate(object);
    delete ensureMeta(object).resourceVersion;
    return this.#output(object, false);
  }

  async #update(old: KubeObject, record: ObjectRecord): Promise<UpdateOutput> {
    const store = this.#store;
    const { context, info, options } = this.#call;
    const object = await info.updatedObject(context, old);
    this.#checkResourceVersion(object, record);
    this.#finish = await store.spec.hooks?.beginUpdate?.(object, old, context, options);
    await beforeUpdate(store, { object, old }, context);
    const startedAt = performance.now();
    const compared = keepManagedFieldsTimes(object, old, { strict: store.spec.typedListItems === true });
    context.request.metrics?.timestampsCompared(compared, (performance.now() - startedAt) / 1_000);
    await this.#call.validateUpdate(object, old);
    if (shouldDelete(object, old) && (store.spec.hooks?.shouldDeleteDuringUpdate?.(object, old) ?? true))
      throw new LastFinalizerRemoved(object);
    return this.#output(object, true);
  }

  #output(object: KubeObject, isUpdate: boolean): UpdateOutput {
    const ttl = this.#store.spec.ttlSeconds;
    return ttl === undefined ? { object } : { object, ttlSeconds: ttl(object, 0, isUpdate) };
  }

  /**
   * Optimistic concurrency: the caller's resourceVersion must be the current one; without one, strategies may let it
   * pass.
   */
  #checkResourceVersion(object: KubeObject, record: ObjectRecord): void {
    const store = this.#store;
    const { context, name } = this.#call;
    const metadata = ensureMeta(object);
    const wanted = parseResourceVersion(metadata.resourceVersion);
    if (wanted === undefined)
      throw new StatusError({
        status: 'Failure',
        code: 500,
        message: `strconv.ParseUint: parsing ${goQuote(metadata.resourceVersion ?? '')}: invalid syntax`,
      });
    if (wanted === 0) {
      if (store.strategy.allowUnconditionalUpdate === false) {
        const { group, resource } = store.groupResource(context);
        throw invalid({ group, kind: resource }, name, [
          invalidValue('metadata.resourceVersion', 0, 'must be specified for an update'),
        ]);
      }
      metadata.resourceVersion = String(record.revision);
    } else if (wanted !== record.revision) {
      throw conflict(store.groupResource(context), name, modified);
    }
  }
}

/** ShouldDeleteDuringUpdate of store.go: deletion was asked for, no finalizer is left, no grace period runs. */
function shouldDelete(object: KubeObject, old: KubeObject): boolean {
  const oldMetadata = ensureMeta(old);
  if ((ensureMeta(object).finalizers?.length ?? 0) > 0) return false;
  return oldMetadata.deletionTimestamp !== undefined && (oldMetadata.deletionGracePeriodSeconds ?? 0) === 0;
}
