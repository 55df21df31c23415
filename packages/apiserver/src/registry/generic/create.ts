import {
  StatusError,
  ensureMeta,
  formatTime,
  generateName,
  generateNameConflict,
  isAlreadyExists,
} from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { timed } from '../../request/timed.ts';
import { beforeCreate } from './before-create.ts';
import { copyObject } from '../rest/copy-object.ts';
import { parseResourceVersion } from '../rest/object-meta.ts';
import { interpretStorageError } from '../storage-errors.ts';
import type { CreateOptions, RESTContext, RESTResult, ValidateObject } from '../rest/storage.ts';
import { dryRunCreate } from './dry-run.ts';
import type { FinishFunction } from './store-hooks.ts';
import type { StoreContext } from './store-context.ts';

/** Enough for a million names of one prefix with a chance of failure below 0.1 % each. */
const maxNameGenerationAttempts = 8;

export interface CreateCall {
  readonly context: RESTContext;
  readonly object: KubeObject;
  readonly validate: ValidateObject;
  readonly options: CreateOptions;
}

/**
 * Store.Create of registry/generic/registry/store.go: with generateName, a name that is taken is tried again with
 * another.
 */
export async function create(store: StoreContext, call: CreateCall): Promise<RESTResult> {
  const metadata = ensureMeta(call.object);
  if ((metadata.generateName ?? '') === '' || (metadata.name ?? '') !== '') return createOnce(store, call);
  for (let attempt = 1; ; attempt++) {
    try {
      return await createOnce(store, {
        ...call,
        object: attempt < maxNameGenerationAttempts ? copyObject(call.object) : call.object,
      });
    } catch (error) {
      if (attempt === maxNameGenerationAttempts || !isAlreadyExists(error)) throw error;
    }
  }
}

async function createOnce(store: StoreContext, call: CreateCall): Promise<RESTResult> {
  const { context, object, options } = call;
  fillSystemFields(store, object, context);
  let finish: FinishFunction | undefined;
  try {
    finish = await store.spec.hooks?.beginCreate?.(object, context, options);
    await beforeCreate(store, object, context);
    await call.validate(object);
    const result = await write(store, call);
    const succeeded = finish;
    finish = undefined;
    await succeeded?.(true);
    await store.spec.hooks?.afterCreate?.(result, context, options);
    return result;
  } finally {
    await finish?.(false);
  }
}

/** uid, creationTimestamp and, with generateName, a name: as early as possible, so that all checks see them. */
export function fillSystemFields(store: StoreContext, object: KubeObject, context: RESTContext): void {
  const { clock, newUID, random, repeatable } = store.environment;
  const metadata = ensureMeta(object);
  metadata.creationTimestamp = formatTime(clock.now());
  const prefix = metadata.generateName ?? '';
  if (prefix !== '' && (metadata.name ?? '') === '') {
    const draws = repeatable?.of(`name ${identityOf(store, context, prefix)}`) ?? { random };
    metadata.name = store.strategy.generateName?.(prefix) ?? generateName(prefix, () => draws.random());
  }
  metadata.uid = repeatable?.uidOf(identityOf(store, context, metadata.name ?? '')) ?? newUID();
}

/** As the key, for names of which it is not known yet whether they can be part of one. */
function identityOf(store: StoreContext, { namespace }: RESTContext, name: string): string {
  return `${store.listKey(namespace)}${name}`;
}

async function write(store: StoreContext, call: CreateCall): Promise<RESTResult> {
  const { context, object, options } = call;
  const name = ensureMeta(object).name ?? '';
  const key = store.key(context, name);
  try {
    if (options.dryRun) return await dryRunCreate(store, key, object);
    refuseResourceVersion(object);
    const ttlSeconds = store.spec.ttlSeconds?.(object, 0, false) ?? 0;
    const created = await timed(
      context.request,
      'storage',
      store.storage.create(key, object, { ttlSeconds, signal: context.request.signal }),
    );
    store.environment.repeatable?.created(key);
    return created;
  } catch (error) {
    throw await explain(store, key, interpretStorageError(error, 'create', store.groupResource(context), name), call);
  }
}

/** The reference answers this with a plain 500. A resourceVersion that is not a number is ignored. */
function refuseResourceVersion(object: KubeObject): void {
  const metadata = ensureMeta(object);
  if ((parseResourceVersion(metadata.resourceVersion) ?? 0) !== 0)
    throw new StatusError({
      status: 'Failure',
      code: 500,
      message: 'resourceVersion should not be set on objects to be created',
    });
  delete metadata.resourceVersion;
}

/** Says more about a name that is taken: whether the server had chosen it, whether its holder is about to go. */
async function explain(store: StoreContext, key: string, error: unknown, call: CreateCall): Promise<unknown> {
  if (!isAlreadyExists(error)) return error;
  const metadata = ensureMeta(call.object);
  let explained = error;
  if ((metadata.generateName ?? '') !== '')
    // The group of the object as it is kept, which for events of either group is the first one's.
    explained = generateNameConflict(
      { group: store.memoryVersion.group, resource: call.context.request.requestInfo.resource },
      metadata.name ?? '',
      1,
    );
  // The conflict is told all the same; why the name is taken is only a better text.
  const holder = await store.storage.get(key, { ignoreNotFound: true }).catch(() => undefined);
  if (holder?.object().metadata?.deletionTimestamp === undefined) return explained;
  const { reason: _, ...status } = explained.status;
  return new StatusError(
    { ...status, reason: 'AlreadyExists', message: `object is being deleted: ${explained.message}` },
    { cause: error },
  );
}
