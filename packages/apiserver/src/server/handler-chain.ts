import type { OriginPattern } from '../filters/cors.ts';
import type { Randomness, TimerClock } from '@kubechain/apimachinery';
import type { RequestAuthenticator } from '../authentication/authenticator.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import { auditFilter } from '../filters/audit.ts';
import type { Auditor } from '../audit/auditor.ts';
import { authentication } from '../filters/authentication.ts';
import { authorization } from '../filters/authorization.ts';
import { cacheControl } from '../filters/cache-control.ts';
import { cors } from '../filters/cors.ts';
import { delegatedAuthentication } from './delegation/delegated-authentication.ts';
import { forwardedFaults } from './delegation/forwarded-faults.ts';
import type { NamedFilter } from '../request/filter.ts';
import { flowControl, type FlowController } from '../filters/flow-control.ts';
import { logRequest } from '../filters/http-logging.ts';
import { goaway } from '../filters/goaway.ts';
import { hsts } from '../filters/hsts.ts';
import { impersonation } from '../filters/impersonation/impersonation.ts';
import type { InFlightRequests } from '../filters/in-flight-requests.ts';
import { latencyTrackers } from '../filters/latency-trackers.ts';
import { panicRecovery } from '../responses/panic-recovery.ts';
import { requestDeadline, requestTimeout } from '../filters/request-deadline.ts';
import { requestInfo } from '../filters/request-info.ts';
import { requestReceived } from '../filters/request-received.ts';
import { servedBy, serverTiming } from '../filters/server-timing.ts';
import { retryAfter, waitGroup, watchTermination } from '../filters/wait-group.ts';
import { warnings } from '../filters/warnings.ts';
import { watchesPerUser } from '../filters/watches-per-user.ts';
import type { AuthenticationMetrics } from '../metrics/authentication-metrics.ts';
import type { AuthorizationMetrics } from '../metrics/authorization-metrics.ts';
import type { FilterDurations } from '../metrics/filter-durations.ts';
import type { RequestControl, RequestWatcher } from './completed-config.ts';
import { observedFilters } from './observed-filters.ts';
import { tracedFilters, type RequestTracer } from '../tracing/request-tracer.ts';
import type { RequestMetrics } from '../metrics/request-metrics.ts';
import type { StorageVersionBarrier } from '../storage-version/storage-version-barrier.ts';
import { storageVersionPrecondition } from '../storage-version/storage-version-precondition.ts';
import { heapRoom } from '../filters/heap-room.ts';
import type { HeapGauge } from '../watchdog/heap-gauge.ts';
import type { WorkObserver } from '../watchdog/loop-watchdog.ts';

/** What the filters of one server share. */
export interface HandlerChainOptions {
  /** The server's, for Server-Timing. */
  readonly name: string;
  readonly clock: TimerClock;
  readonly randomness: Randomness;
  readonly metrics: RequestMetrics;
  readonly authenticationMetrics: AuthenticationMetrics;
  readonly authorizationMetrics: AuthorizationMetrics;
  readonly filterDurations: FilterDurations;
  readonly inFlight: InFlightRequests;
  readonly requestTimeoutMs: number;
  readonly corsAllowedOrigins: readonly OriginPattern[];
  readonly hstsDirectives: readonly string[];
  readonly goawayChance: number;
  readonly maxWatchesPerUser: number;
  readonly authenticator: RequestAuthenticator;
  readonly authorizer: Authorizer;
  readonly flowController: FlowController;
  readonly auditor: Auditor | undefined;
  readonly storageVersions: StorageVersionBarrier | undefined;
  readonly control: RequestControl | undefined;
  /** Requests of the process in front may bring faults with them. */
  readonly meetsFaults: boolean;
  readonly watcher: RequestWatcher | undefined;
  readonly tracer: RequestTracer | undefined;
  readonly watchdog: WorkObserver | undefined;
  readonly heap: HeapGauge | undefined;
  readonly shutdownSendRetryAfter: boolean;
  /** Name for `X-Kubechain-Served-By`; undefined sends no such header. */
  readonly servedBy: string | undefined;
}

/**
 * The filters of the secure port in request order (upstream's DefaultBuildHandlerChain, read from the outside in).
 * The request-received filter does upstream's audit-init as well; logging happens when the response closes, so it has
 * no filter of its own but hangs on the latency trackers.
 */
export function buildHandlerChain(options: HandlerChainOptions): readonly NamedFilter[] {
  const { auditor } = options;
  return observedFilters(
    options.watcher?.filter,
    tracedFilters(options.tracer, 'client', [
      ...arrival(options),
      ...(options.corsAllowedOrigins.length === 0 ? [] : [{ name: 'cors', filter: cors(options.corsAllowedOrigins) }]),
      {
        name: 'authentication',
        filter: authentication({
          authenticator: options.authenticator,
          metrics: options.authenticationMetrics,
          durations: options.filterDurations,
          auditor,
        }),
      },
      ...(auditor === undefined ? [] : [{ name: 'audit', filter: auditFilter(auditor) }]),
      { name: 'impersonation', filter: impersonation(options.authorizer) },
      { name: 'watches-per-user', filter: watchesPerUser(options.maxWatchesPerUser) },
      { name: 'priority-and-fairness', filter: flowControl(options.flowController) },
      { name: 'authorization', filter: authorization(options.authorizer, options.authorizationMetrics) },
      ...(options.heap === undefined ? [] : [{ name: 'heap-room', filter: heapRoom(options.heap) }]),
      ...(options.control === undefined ? [] : [{ name: 'control', filter: options.control.filter }]),
      ...precondition(options),
      { name: 'server-timing', filter: serverTiming(options.authorizer, options.name) },
    ]),
  );
}

/**
 * The filters of a delegate listener: what the process in front has done is not done again (upstream's
 * UnprotectedHandler).
 */
export function buildDelegatedHandlerChain(options: HandlerChainOptions): readonly NamedFilter[] {
  const { auditor } = options;
  return observedFilters(
    options.watcher?.delegatedFilter,
    tracedFilters(options.tracer, 'hop', [
      ...arrival(options),
      { name: 'delegated-authentication', filter: delegatedAuthentication(options.name) },
      ...(options.meetsFaults ? [{ name: 'forwarded-faults', filter: forwardedFaults }] : []),
      ...(auditor === undefined ? [] : [{ name: 'audit', filter: auditFilter(auditor) }]),
      ...precondition(options),
    ]),
  );
}

/** What is asked of a request once it is known who may do it; nothing where storage versions are not told. */
export function precondition({ storageVersions }: Pick<HandlerChainOptions, 'storageVersions'>): NamedFilter[] {
  if (storageVersions === undefined) return [];
  return [{ name: 'storage-version-precondition', filter: storageVersionPrecondition(storageVersions) }];
}

function arrival(options: HandlerChainOptions): NamedFilter[] {
  const { auditor, clock, inFlight, metrics, randomness, tracer, watchdog } = options;
  const observers = [
    logRequest,
    ...(auditor === undefined ? [] : [auditor.requestCompleted]),
    ...(options.control === undefined ? [] : [options.control.record]),
    ...(options.watcher === undefined ? [] : [options.watcher.record]),
    ...(tracer === undefined ? [] : [tracer.ended]),
  ];
  return [
    { name: 'panic-recovery', filter: panicRecovery },
    { name: 'request-received', filter: requestReceived({ clock, randomness, watchdog }) },
    { name: 'request-info', filter: requestInfo },
    { name: 'latency-trackers', filter: latencyTrackers({ metrics, inFlight, observers }) },
    ...(options.servedBy === undefined ? [] : [{ name: 'served-by', filter: servedBy(options.servedBy) }]),
    ...(options.hstsDirectives.length === 0 ? [] : [{ name: 'hsts', filter: hsts(options.hstsDirectives) }]),
    { name: 'cache-control', filter: cacheControl },
    ...(options.goawayChance === 0
      ? []
      : [{ name: 'goaway', filter: goaway(options.goawayChance, randomness.random) }]),
    ...(options.shutdownSendRetryAfter ? [{ name: 'retry-after', filter: retryAfter(inFlight) }] : []),
    { name: 'watch-termination', filter: watchTermination(inFlight) },
    { name: 'wait-group', filter: waitGroup(inFlight) },
    { name: 'request-deadline', filter: requestDeadline(options.requestTimeoutMs) },
    { name: 'request-timeout', filter: requestTimeout },
    { name: 'warnings', filter: warnings },
  ];
}
