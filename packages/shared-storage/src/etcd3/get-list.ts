import { AddedBytes } from '../storage/added-bytes.ts';
import { toldRevision } from '../storage/resource-version.ts';
import { selects } from '../storage/selects.ts';
import { StorageError } from '../storage/errors.ts';
import { encodeContinue, encodeStart } from '../storage/continue-token.ts';
import type { ListOptions, ListResult, ObjectRecord } from '../storage/interfaces.ts';
import { planList } from '../storage/list-plan.ts';
import { prepareKey } from '../storage/storage-key.ts';
import type { KeyValue, RangeResponse } from '../etcd-client/etcd-client.ts';
import { UnreadableObjects } from './corrupt-objects.ts';
import { isEtcdError } from '../etcd-client/etcd-error.ts';
import { prefixRangeEnd } from '../etcd-client/prefix-range.ts';
import { currentRevision } from './count.ts';
import { toStorageError, tooLargeResourceVersion } from './storage-errors.ts';
import { decodeRecord, measuredRange, turnBytes, untransform } from './store-context.ts';
import type { StoreContext } from './store-context.ts';

/** Largest page that a list with a selector grows to (upstream's maxLimit). */
const maxPageSize = 10_000;
/** First page of a list without limit. */
const firstPageSize = 500;
const minPageSize = 4;
/** A page whose answer is too large is asked for again, so many times smaller. */
const smaller = 8;
/**
 * What a further page of a list without limit should weigh: bounds the response held beside the result, and lets other
 * work in between.
 */
const pageBytes = 8 * 1024 * 1024;

/** One page of the objects under a prefix, or the one object at a key (storage.Interface.GetList). */
export async function getList(context: StoreContext, key: string, options: ListOptions): Promise<ListResult> {
  const recursive = options.recursive ?? true;
  const prefix = prepareKey(context.keyRoot, key, recursive);
  const { predicate, signal } = options;
  options.answeredBy?.('store');
  const filter = predicate === undefined || predicate.empty ? undefined : predicate;
  const limit = options.limit ?? 0;
  const plan = planList(prefix, options);
  const minimum = plan.kind === 'latest' ? 0 : plan.revision;

  const items: ObjectRecord[] = [];
  // The pages that follow, here or by token, show the moment of the first; 0 is the latest.
  let revision = plan.kind === 'exact' ? plan.revision : 0;
  let { startKey } = plan;
  let pageSize = limit > 0 ? Math.min(limit, maxPageSize) : firstPageSize;
  let fetched = 0;
  let evaluated = 0;
  let lastKey = '';
  let turns = 0;
  const unreadable = new UnreadableObjects(context);
  const added = new AddedBytes();
  let more: boolean;
  let remaining: number;
  const rangeEnd = recursive ? { rangeEnd: prefixRangeEnd(prefix) } : {};
  for (;;) {
    const response = await readPage(
      context,
      {
        prefix,
        startKey,
        paging: options.continue !== undefined && options.continue !== '',
        requested: revision,
        signal,
      },
      { key: startKey, ...rangeEnd, revision, limit: recursive ? pageSize : 0 },
    );
    if (response === undefined) {
      pageSize = Math.max(1, Math.floor(pageSize / smaller));
      continue;
    }
    if (minimum > response.revision)
      throw tooLargeResourceVersion(prefix, toldRevision(options, minimum), response.revision);
    const kvs = response.kvs;
    fetched += kvs.length;
    more = response.more;
    if (kvs.length === 0 && more)
      throw new StorageError('Internal', 'no results were found, but etcd indicated there were more values remaining', {
        key: prefix,
      });
    if (revision === 0) revision = response.revision;
    const before = evaluated;
    let sinceTurn = 0;
    for (const kv of kvs) {
      if (limit > 0 && items.length >= limit) {
        more = true;
        break;
      }
      lastKey = kv.key;
      evaluated++;
      let record: ObjectRecord;
      try {
        // Only transformers that must fetch a key wait here.
        const untransformed = transformed(context, kv);
        const { value } = untransformed instanceof Promise ? await untransformed : untransformed;
        record = decodeRecord(context, { key: kv.key, value, revision: kv.modRevision });
      } catch (error) {
        unreadable.add(kv.key, error);
        continue;
      }
      if (filter === undefined || selects(filter, record)) {
        items.push(record);
        if (context.codec.addedBytes !== undefined) added.add(context.codec.addedBytes(record), prefix);
      }
      sinceTurn += record.json.length;
      if (sinceTurn < turnBytes) continue;
      sinceTurn = 0;
      await context.turns.take(turns++);
    }
    remaining = response.count - (evaluated - before);
    if (!more || (limit > 0 && items.length >= limit)) break;
    startKey = `${lastKey}\0`;
    // Where a selector dropped objects, more are read at once rather than more often.
    const weighed = Math.min(Math.max(Math.floor(pageBytes / averageBytes(kvs)), minPageSize), maxPageSize);
    if (limit === 0) pageSize = weighed;
    else if (filter === undefined) pageSize = Math.min(limit - items.length, weighed);
    else pageSize = Math.min(pageSize * 2, weighed);
    if (signal?.aborted === true)
      throw new StorageError('Aborted', 'request did not complete within requested timeout', { key: lastKey });
  }
  context.metrics.list(fetched, evaluated, items.length);
  unreadable.throwIfAny();
  return {
    items,
    resourceVersion: String(revision),
    continue: more ? encodeContinue(lastKey, prefix, revision) : '',
    ...(more && filter === undefined ? { remainingItemCount: remaining } : {}),
    ...(added.bytes > 0 ? { addedBytes: added.bytes } : {}),
  };
}

function averageBytes(kvs: readonly KeyValue[]): number {
  let bytes = 0;
  for (const kv of kvs) bytes += kv.value.length;
  return Math.max(1, bytes / kvs.length);
}

interface PageRequest {
  readonly prefix: string;
  readonly startKey: string;
  /** The client continues an earlier list. */
  readonly paging: boolean;
  readonly requested: number;
  readonly signal: AbortSignal | undefined;
}

/** Undefined where the answer is too large, and more than one object was asked for. */
async function readPage(
  context: StoreContext,
  page: PageRequest,
  range: { key: string; rangeEnd?: string; revision: number; limit: number },
): Promise<RangeResponse | undefined> {
  try {
    return await measuredRange(context, range.rangeEnd === undefined ? 'get' : 'list', {
      range,
      options: { signal: page.signal },
    });
  } catch (error) {
    if (isEtcdError(error, 'FutureRevision'))
      throw tooLargeResourceVersion(
        page.prefix,
        page.requested,
        await currentRevision(context, page.signal).catch(() => 0),
      );
    if (isEtcdError(error, 'ResponseTooLarge') && range.limit > 1) return undefined;
    if (isEtcdError(error, 'Compacted') && page.paging) throw expiredPage(page);
    throw toStorageError(error, page.prefix);
  }
}

/** The list that the client continues is gone; the token in the error goes on where it was, at the latest revision. */
function expiredPage(page: PageRequest): StorageError {
  return new StorageError(
    'ResourceExpired',
    'The provided continue parameter is too old to display a consistent list result. You can start a new list ' +
      'without the continue parameter, or use the continue token in this response to retrieve the remainder of ' +
      'the results. Continuing with the provided token results in an inconsistent list - objects that were ' +
      'created, modified, or deleted between the time the first chunk was returned and now may show up in the ' +
      'list.',
    { key: page.prefix, continue: encodeStart(page.startKey, page.prefix, -1) },
  );
}

function transformed(context: StoreContext, kv: KeyValue): ReturnType<typeof untransform> {
  if (context.unsafeDeletion) return untransform(context, kv.value, kv.key);
  try {
    const result = untransform(context, kv.value, kv.key);
    return result instanceof Promise
      ? result.catch((error: unknown) => {
          throw unreadable(kv, error);
        })
      : result;
  } catch (error) {
    throw unreadable(kv, error);
  }
}

function unreadable(kv: KeyValue, error: unknown): StorageError {
  const failure = toStorageError(error, kv.key);
  return new StorageError(failure.code, `unable to transform key ${JSON.stringify(kv.key)}: ${failure.message}`, {
    key: kv.key,
    cause: error,
  });
}
