import { parseQuery } from '@kubechain/apimachinery';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Span } from '@kubechain/shared-storage/tracing';
import type { AuditRecord } from './audit-record.ts';
import { callerTrace, type CallerTrace } from './caller-trace.ts';
import type { UserInfo } from '../request/user-info.ts';
import { WarningRecorder } from './warning-recorder.ts';
import type { HandlerCounter, RequestContext, RequestFault, RequestInfo } from './request-context.ts';
import type { ObservedDecision, RequestObservation } from './request-observation.ts';

/** Why a request's signal was aborted. */
export class RequestAbortedError extends Error {
  override readonly name = 'AbortError';
  readonly kind: 'client' | 'deadline' | 'shutdown';
  constructor(kind: 'client' | 'deadline' | 'shutdown') {
    super(
      kind === 'client'
        ? 'the client went away'
        : kind === 'deadline'
          ? 'the request took longer than its deadline'
          : 'the server is shutting down',
    );
    this.kind = kind;
  }
}

const abortedByClient = new RequestAbortedError('client');
const abortedByDeadline = new RequestAbortedError('deadline');
const abortedByShutdown = new RequestAbortedError('shutdown');

/** The reason for an abort. Made once: capturing a stack costs more than all filters of a request. */
export function abortReason(kind: RequestAbortedError['kind']): RequestAbortedError {
  switch (kind) {
    case 'client':
      return abortedByClient;
    case 'deadline':
      return abortedByDeadline;
    case 'shutdown':
      return abortedByShutdown;
    default:
      return kind satisfies never;
  }
}

/** What a flow controller gave a request; given back when the response closes. */
export interface FlowTicket {
  release(): void;
  /** A watch has sent its initial events, or somebody else will: from now on it costs little. */
  watchInitialized?(): void;
}

/** Names of the FlowSchema and PriorityLevelConfiguration of a request; absent for those that have none. */
export interface RequestClassification {
  readonly name?: string;
  readonly level?: { readonly name: string };
}

/**
 * Where a request was answered: an installed resource, or a path of the non-resource mux. Requests that found neither
 * have no metrics, so that clients cannot make label values up.
 */
export interface MetricsTarget {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
}

/** Who counts requests on their way through the filters. */
export interface RequestCounter extends HandlerCounter {
  /** The request has found its route: from here on it has labels. */
  routed(context: ServerRequestContext, target: MetricsTarget): void;
  /** The answer has ended, after so long. */
  finished(context: ServerRequestContext, code: number, durationMs: number): void;
  /** The server refused or ended a request in self-defence. */
  terminated(code: number): void;
  /** Flow control refused it. */
  dropped(context: ServerRequestContext): void;
  /** Work on a request that was answered at its deadline: how it ended, or that it has not for long. */
  outlived(source: 'timeout-handler' | 'rest-handler', status: 'ok' | 'error' | 'pending'): void;
  /** It is for a version that is deprecated, and gone from a release on; '' where none is known. */
  deprecated(context: ServerRequestContext, removedRelease: string): void;
}

const nobody: UserInfo = { name: '', groups: [] };
const noQuery = new URLSearchParams();
const unknownInfo: RequestInfo = {
  isResourceRequest: false,
  path: '',
  verb: '',
  apiPrefix: '',
  apiGroup: '',
  apiVersion: '',
  namespace: '',
  resource: '',
  subresource: '',
  name: '',
  parts: [],
};

/**
 * The RequestContext of the handler chain: one object per request, all members set in the constructor so that V8
 * keeps one shape. Query, abort signal and warnings are made when somebody asks for them.
 */
export class ServerRequestContext implements RequestContext {
  requestInfo: RequestInfo = unknownInfo;
  /** Raw query text, without `?`. */
  search = '';
  user: UserInfo = nobody;
  /** The user that authenticated, when impersonation has replaced `user`. */
  impersonator: UserInfo | undefined = undefined;
  /** The verb of the constrained mode that allowed it (`impersonate:user-info`). */
  impersonationConstraint: string | undefined = undefined;
  readonly auditID: string;
  readonly receivedAtMs: number;
  /** performance.now() at reception, for durations. */
  readonly startedAt: number;
  /** performance.now() when the filter that is measured got the request. */
  filterStartedAt = 0;
  deadlineMs = Number.POSITIVE_INFINITY;
  longRunning = false;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Set by the audit filter when the policy wants something of the request. */
  auditRecord: AuditRecord | undefined = undefined;
  auditAnnotations: Map<string, string> | undefined = undefined;
  /** Milliseconds by phase for Server-Timing, only collected when `timingWanted`. */
  timingWanted = false;
  timings: Map<string, number> | undefined = undefined;
  deadlineTimer: NodeJS.Timeout | undefined = undefined;
  /** The work of the handler of a resource. */
  pending: Promise<void> | undefined = undefined;
  /** What authorization has said of the request in this process; undefined while it has not, and where it need not. */
  decision: ObservedDecision | undefined = undefined;
  /** By what flow control has classified the request; undefined where it has not. */
  classification: RequestClassification | undefined = undefined;
  /** How long flow control kept the request waiting, ms. */
  queuedMs = 0;
  /** What happens to the request, by the control API. */
  fault: RequestFault | undefined = undefined;
  /** Set while somebody looks at requests and this one is among them. */
  observation: RequestObservation | undefined = undefined;
  /** The step that is under way, of a request that is traced. */
  span: Span | undefined = undefined;
  answersCBOR = false;
  warningsEnabled = false;
  /** Name of the delegate that the request was handed to; '' when this process answers. */
  delegate = '';
  /** `address:port` of the client, as the process in front says it; '' for clients of this process. */
  forwardedClient = '';
  /** Why the process in front has let the request through; undefined for clients of this process. */
  forwardedDecision: string | undefined = undefined;
  /** The server in front, in whose place this one answers, has recorded that the request came. */
  arrivalRecorded = false;
  /** Set by the Director and the non-resource mux when they know the route; requests without one have no metrics. */
  metricsTarget: MetricsTarget | undefined = undefined;
  /** Where the request is counted; undefined where nothing is. */
  metrics: RequestCounter | undefined = undefined;
  #query: URLSearchParams | undefined = undefined;
  #trace: CallerTrace | undefined = undefined;
  #controller: AbortController | undefined = undefined;
  #aborted: RequestAbortedError | undefined = undefined;
  #warnings: WarningRecorder | undefined = undefined;
  #flowTicket: FlowTicket | undefined = undefined;
  #ended = false;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    options: { readonly auditID: string; readonly receivedAtMs: number; readonly startedAt: number },
  ) {
    this.request = request;
    this.response = response;
    this.auditID = options.auditID;
    this.receivedAtMs = options.receivedAtMs;
    this.startedAt = options.startedAt;
  }

  get query(): URLSearchParams {
    if (this.search === '') return noQuery;
    return (this.#query ??= parseQuery(this.search));
  }

  get trace(): CallerTrace {
    return (this.#trace ??= callerTrace(this.request.headers));
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted !== undefined) this.#controller.abort(this.#aborted);
    }
    return this.#controller.signal;
  }

  /** The first reason counts; later ones are ignored. */
  abort(reason: RequestAbortedError): void {
    if (this.#aborted !== undefined) return;
    this.#aborted = reason;
    this.#controller?.abort(reason);
  }

  /** The response has closed: nothing is taken for the request any more. */
  get ended(): boolean {
    return this.#ended;
  }

  /**
   * Keeps what flow control gave for the request until the request ends, in the place of what it gave before.
   * @returns false when it has ended: the ticket is given back already
   */
  hold(ticket: FlowTicket): boolean {
    if (this.#ended) ticket.release();
    else this.#flowTicket = ticket;
    return !this.#ended;
  }

  /** The response has closed, whatever the reason: gives back what was taken for the request, once. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.deadlineTimer);
    this.deadlineTimer = undefined;
    const ticket = this.#flowTicket;
    this.#flowTicket = undefined;
    ticket?.release();
  }

  watchInitialized(): void {
    this.#flowTicket?.watchInitialized?.();
  }

  get abortReason(): RequestAbortedError | undefined {
    return this.#aborted;
  }

  addWarning(text: string, agent = '-'): void {
    if (!this.warningsEnabled) return;
    (this.#warnings ??= new WarningRecorder(this.response)).add(text, agent);
  }

  addAuditAnnotation(key: string, value: string): void {
    const annotations = (this.auditAnnotations ??= new Map());
    // Upstream keeps the first value of a key and warns; a second one would let plugins overwrite each other's
    // evidence.
    if (!annotations.has(key)) annotations.set(key, value);
  }

  addTiming(phase: string, milliseconds: number): void {
    if (!this.timingWanted) return;
    const timings = (this.timings ??= new Map());
    timings.set(phase, (timings.get(phase) ?? 0) + milliseconds);
  }
}
