import type { ServerRequestContext } from '../request/server-request-context.ts';
import type { CompiledFlowSchema } from './compiled-flow-schema.ts';
import type { ObjectStats, ResourceStats } from './object-stats.ts';
import { seatSeconds } from './seat-seconds.ts';
import { oneSeat, type WorkEstimate } from './work-estimate.ts';
import type { WatchTracker } from './watch-tracker.ts';

const maxListSeats = 100;
const bytesPerSeat = 100_000;
/** A list from the cache is sent object by object: it never has more than this in memory. */
const maxCachedBytes = 1_000_000;
/** What etcd takes; for objects of unknown size. */
const maxObjectBytes = 1_500_000;
const stale: ResourceStats = { objects: 1_000_000_000, bytes: 1_000_000_000 * maxObjectBytes };

const maxMutatingSeats = 10;
const watchesPerSeat = 10;
/** How long one event keeps a seat's watches busy. */
const eventMs = 5;

/** What estimates are made from. */
export interface WorkEstimatorSources {
  readonly stats: Pick<ObjectStats, 'of'>;
  readonly watches: Pick<WatchTracker, 'interestedIn'>;
}

/** Estimates the work of a request before it runs (util/flowcontrol/request, 1.36, with SizeBasedListCostEstimate). */
export function estimateWork(
  context: ServerRequestContext,
  { level, cell }: CompiledFlowSchema,
  sources: WorkEstimatorSources,
): WorkEstimate {
  switch (context.requestInfo.verb) {
    case 'list':
    case 'watch':
      return estimateList(context, level.maxSeats, sources);
    case 'create':
    case 'update':
    case 'patch':
    case 'delete': {
      const { requestInfo } = context;
      // Tokens are no objects: nobody gets an event of them.
      if (requestInfo.resource === 'serviceaccounts' && requestInfo.subresource === 'token') return oneSeat;
      const count = sources.watches.interestedIn(requestInfo);
      cell.watchCounts.observe(count);
      return estimateEvents(count, level.maxSeats);
    }
    default:
      return oneSeat;
  }
}

/** By the bytes that the list has in memory at a time. A watch costs as much while it begins with what is there. */
function estimateList(
  { requestInfo, query, search }: ServerRequestContext,
  levelMaxSeats: number,
  { stats: known }: WorkEstimatorSources,
): WorkEstimate {
  const isWatch = requestInfo.verb === 'watch';
  const stats = known.of(requestInfo.apiGroup, requestInfo.resource);
  // Somebody else's resource: passing it on costs little.
  if (stats === undefined) return oneSeat;
  const resourceVersion = search === '' ? '' : (query.get('resourceVersion') ?? '');
  if (
    isWatch &&
    resourceVersion !== '' &&
    resourceVersion !== '0' &&
    !/^(?:true|1)$/i.test(query.get('sendInitialEvents') ?? '')
  )
    return oneSeat;
  const { objects, bytes } = stats === 'stale' ? stale : stats;
  const limit = search === '' ? 0 : Number(query.get('limit') ?? 0);
  const limited = limit > 0 && limit < objects ? limit : objects;
  const fromCache = isWatch || !isFromStorage(query, resourceVersion, limit);
  let loaded = limited;
  if (requestInfo.name !== '') loaded = 1;
  else if (!fromCache && (query.has('fieldSelector') || query.has('labelSelector')))
    loaded = Math.max(limited, Math.floor(objects / 2));
  const size = objects === 0 ? 0 : bytes === undefined || bytes <= 0 ? maxObjectBytes : bytes / objects;
  const inMemory = fromCache ? Math.min(loaded * size, maxCachedBytes) : loaded * size;
  const most = levelMaxSeats === 0 ? maxListSeats : Math.min(levelMaxSeats, maxListSeats);
  const seats = Math.min(most, Math.max(1, Math.ceil(inMemory / bytesPerSeat)));
  return seats === 1 ? oneSeat : { initialSeats: seats, finalSeats: 0, additionalLatencyMs: 0 };
}

/**
 * Lists at an exact revision, and what goes on with them, are taken to be read from etcd (ShouldDelegateListMeta of
 * storage/cacher/delegator).
 */
function isFromStorage(query: URLSearchParams, resourceVersion: string, limit: number): boolean {
  switch (query.get('resourceVersionMatch') ?? '') {
    case 'Exact':
      return true;
    case 'NotOlderThan':
      return false;
    case '':
      return (query.get('continue') ?? '') !== '' || (limit > 0 && resourceVersion !== '' && resourceVersion !== '0');
    default:
      return true;
  }
}

/**
 * Few watches cost nothing; the work of many is done on as many seats as there may be, for as long as it then takes.
 */
function estimateEvents(watches: number, levelMaxSeats: number): WorkEstimate {
  if (watches < watchesPerSeat) return oneSeat;
  const wanted = Math.ceil(watches / watchesPerSeat);
  const finalSeats = Math.min(
    wanted,
    levelMaxSeats === 0 ? maxMutatingSeats : Math.min(levelMaxSeats, maxMutatingSeats),
  );
  return { initialSeats: 1, finalSeats, additionalLatencyMs: (seatSeconds(wanted, eventMs) / finalSeats) * 1_000 };
}
