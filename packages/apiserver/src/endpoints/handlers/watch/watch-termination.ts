import { isResourceExpired, isTimeout, messageOf } from '@kubechain/apimachinery';
import { isStorageError, type WatchEnd } from '@kubechain/shared-storage';
import type { ResourceWatchMetrics } from '../../../metrics/watch-metrics.ts';
import { Logger } from '../../../logging/logger.ts';
import type { RequestContext } from '../../../request/request-context.ts';
import { RequestAbortedError } from '../../../request/server-request-context.ts';

const log = new Logger('watch');

/** Why the answer to a watch has ended. The kinds are values of the metric's label `reason` (docs/debugging.md). */
export type WatchTermination =
  /** Its `timeoutSeconds`, or the server's own choice of them, are over. */
  | { readonly kind: 'timeout' }
  /** The client has closed the connection or the stream. */
  | { readonly kind: 'client_left' }
  | { readonly kind: 'shutting_down' }
  /** An event has no representation in what the client asked for. */
  | { readonly kind: 'unencodable'; readonly error: unknown }
  /** The history that it needs is gone: the client was told 410. */
  | { readonly kind: 'expired'; readonly error: unknown }
  /** The store has not come to the resourceVersion in time: the client was told 504. */
  | { readonly kind: 'too_new'; readonly error: unknown }
  | WatchEnd;

/** What the end of a watch of the storage means for its client. */
export function terminationOf(end: WatchEnd): WatchTermination {
  switch (end.kind) {
    case 'stopped':
      return end.reason instanceof RequestAbortedError ? terminationBy(end.reason) : end;
    case 'failed':
      return failedWith(end.error);
    default:
      return end;
  }
}

/** The end by an error that the client was told. */
export function failedWith(error: unknown): WatchTermination {
  if (isResourceExpired(error) || isStorageError(error, 'ResourceExpired')) return { kind: 'expired', error };
  if (isTimeout(error) || isStorageError(error, 'TooLargeResourceVersion')) return { kind: 'too_new', error };
  return { kind: 'failed', error: error instanceof Error ? error : new TypeError(String(error)) };
}

function terminationBy({ kind }: RequestAbortedError): WatchTermination {
  switch (kind) {
    case 'client':
      return { kind: 'client_left' };
    case 'deadline':
      return { kind: 'timeout' };
    case 'shutdown':
      return { kind: 'shutting_down' };
    default:
      return kind satisfies never;
  }
}

/** What is told of a watch that has ended. */
export interface EndedWatch {
  readonly context: RequestContext;
  readonly metrics: ResourceWatchMetrics;
  /** The time of its end. */
  readonly nowMs: number;
  /** Events that were sent. */
  readonly events: number;
}

/**
 * Counts and logs the end of a watch; called once for each. What clients do every day is told from `-v=3` on, as other
 * requests are; what cuts them off, always.
 */
export function watchTerminated(reason: WatchTermination, { context, events, metrics, nowMs }: EndedWatch): void {
  metrics.terminated(reason.kind);
  const level = levelOf(reason.kind);
  if (!log.enabled(level)) return;
  const fields = {
    reason: reason.kind,
    'audit-ID': context.auditID,
    resource: context.requestInfo.resource,
    namespace: context.requestInfo.namespace,
    user: context.user.name,
    servedSeconds: (nowMs - context.receivedAtMs) / 1_000,
    events,
  };
  if (level === 0 && 'error' in reason) log.error('Watch ended', reason.error, fields);
  else log.info('Watch ended', 'error' in reason ? { ...fields, err: messageOf(reason.error) } : fields, level);
}

function levelOf(kind: WatchTermination['kind']): number {
  switch (kind) {
    case 'unencodable':
    case 'failed':
    case 'slow':
    case 'overtaken':
      return 0;
    case 'reinitialized':
    case 'closed':
    case 'expired':
    case 'too_new':
      return 2;
    case 'timeout':
    case 'client_left':
    case 'shutting_down':
    case 'stopped':
      return 3;
    default:
      return kind satisfies never;
  }
}
