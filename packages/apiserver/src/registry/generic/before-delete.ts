import { conflict, ensureMeta, formatTime, internalError, parseTime } from '@kubechain/apimachinery';
import type { KubeObject, ObjectMeta } from '@kubechain/apimachinery';
import type { MutableDeleteOptions } from './strategy.ts';
import type { StoreContext } from './store-context.ts';

/**
 * How an object is to be deleted: `graceful`: it was marked, with a time in the future, and is to be updated;
 * `pending`: a graceful deletion that the caller cannot shorten is under way; `immediate`: nothing stands in the way
 * but finalizers.
 */
export type Deletion = 'immediate' | 'graceful' | 'pending';

/**
 * Checks preconditions and marks an object that is deleted gracefully (rest.BeforeDelete). May change the object and
 * the options (the grace period that the strategy chose).
 * @throws StatusError Conflict
 */
export function beforeDelete(store: StoreContext, object: KubeObject, options: MutableDeleteOptions): Deletion {
  const metadata = ensureMeta(object);
  checkPreconditions(store, metadata, options);
  if (options.gracePeriodSeconds !== undefined && options.gracePeriodSeconds < 0) options.gracePeriodSeconds = 1;
  if (metadata.deletionGracePeriodSeconds !== undefined && metadata.deletionGracePeriodSeconds < 0)
    metadata.deletionGracePeriodSeconds = 1;

  const { strategy } = store;
  if (strategy.checkGracefulDelete === undefined) return 'immediate';
  if (metadata.deletionTimestamp !== undefined) return shorten(metadata, options, store.environment.clock.now());
  if (!strategy.checkGracefulDelete(object, options)) return 'immediate';
  if (options.gracePeriodSeconds === undefined) throw internalError('options.GracePeriodSeconds should not be nil');
  metadata.deletionTimestamp = formatTime(store.environment.clock.now() + options.gracePeriodSeconds * 1000);
  metadata.deletionGracePeriodSeconds = options.gracePeriodSeconds;
  bumpGeneration(metadata);
  return 'graceful';
}

/** Counts a deletion as a change of the object's desired state, if it counts those at all. */
export function bumpGeneration(metadata: ObjectMeta): void {
  if (metadata.generation !== undefined && metadata.generation > 0) metadata.generation++;
}

/** An object whose graceful deletion has begun: the grace period can only become shorter. */
function shorten(metadata: ObjectMeta, options: MutableDeleteOptions, nowMs: number): Deletion {
  const current = metadata.deletionGracePeriodSeconds ?? 0;
  // Zero: an earlier deletion marked the object but did not get to removing it. This one may.
  if (current === 0) return 'immediate';
  if (options.gracePeriodSeconds === undefined) {
    options.gracePeriodSeconds = current;
    return 'pending';
  }
  let period = options.gracePeriodSeconds;
  if (period >= current) return 'pending';
  let timestampMs = parseTime(metadata.deletionTimestamp as string) + (period - current) * 1000;
  if (timestampMs < nowMs) {
    timestampMs = nowMs;
    // Whoever observes this update still has to make the last step; an expired period is not a forced deletion.
    if (period !== 0) period = 1;
  }
  metadata.deletionTimestamp = formatTime(timestampMs);
  metadata.deletionGracePeriodSeconds = period;
  return 'graceful';
}

function checkPreconditions(store: StoreContext, metadata: ObjectMeta, options: MutableDeleteOptions): void {
  const { uid, resourceVersion } = options.preconditions ?? {};
  // The reference names the kind where a resource should stand, in the group whose types it works with.
  const resource = { group: store.memoryVersion.group, resource: store.spec.kind };
  if (uid !== undefined && uid !== (metadata.uid ?? '')) {
    throw conflict(
      resource,
      metadata.name ?? '',
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid ?? ''}). The ` +
        'object might have been deleted and then recreated',
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== (metadata.resourceVersion ?? '')) {
    throw conflict(
      resource,
      metadata.name ?? '',
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in ` +
        `record (${metadata.resourceVersion ?? ''}). The object might have been modified`,
    );
  }
}
