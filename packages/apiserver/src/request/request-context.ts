import type { JSONText } from './json-text.ts';
import type { IncomingMessage } from 'node:http';
import type { KubeObject, Status } from '@kubechain/apimachinery';
import type { Span } from '@kubechain/shared-storage/tracing';
import type { UserInfo } from '../request/user-info.ts';
import type { CallerTrace } from './caller-trace.ts';
import type { RequestObservation } from './request-observation.ts';

/** request.RequestInfo: what a URL and method mean. Field names are upstream's. */
export interface RequestInfo {
  readonly isResourceRequest: boolean;
  /** URL path without query. */
  readonly path: string;
  /**
   * get, list, watch, create, update, patch, delete, deletecollection; for non-resource requests the lower-case method.
   */
  readonly verb: string;
  /** `api` or `apis`. */
  readonly apiPrefix: string;
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** Path parts from the resource on: resource, name, subresource, and what follows (proxy paths). */
  readonly parts: readonly string[];
  /** The path has its verb behind the version (`/watch/`, `/proxy/`), as of old. */
  readonly verbInPath?: boolean;
  /** The resource is inside of a namespace by its path; a namespace itself carries its own name as namespace. */
  readonly insideNamespace?: boolean;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
}

/**
 * What the filters found out about one request; made once, filled on the way down. Lives on the request under
 * `requestContext`.
 */
export interface RequestContext {
  readonly requestInfo: RequestInfo;
  /** Parsed once; decoding of parameters is the handler's. */
  readonly query: URLSearchParams;
  /** Set by authentication, replaced by impersonation. */
  user: UserInfo;
  readonly auditID: string;
  /** Milliseconds since the epoch. */
  readonly receivedAtMs: number;
  /** When the server ends the request (timeout filter); Infinity for long-running ones. */
  deadlineMs: number;
  /** Aborted when the client goes away or the deadline passes. */
  readonly signal: AbortSignal;
  /** Adds a Warning header (299) to the response; duplicates are dropped, as the reference does. */
  addWarning(text: string, agent?: string): void;
  addAuditAnnotation(key: string, value: string): void;
  /** Takes the objects of a request that is audited at a level that wants them; undefined when nobody does. */
  readonly auditRecord?: AuditObjects | undefined;
  /** To be called once a watch has sent its initial events: until then it takes a seat of flow control. */
  watchInitialized?(): void;
  /** Errors may be CBOR: a handler has the request that answers so. Default: they may not. */
  answersCBOR?: boolean;
  /** Counts what handlers find out; absent where nobody does. */
  readonly metrics?: HandlerCounter | undefined;
  /** What happens to the request, where the control API wants it so. */
  readonly fault?: RequestFault | undefined;
  /** The caller asked for Server-Timing, and may have it. */
  readonly timingWanted?: boolean;
  /** What is found out about the request for somebody who looks at it; undefined where nobody does. */
  readonly observation?: RequestObservation | undefined;
  /** The step that is under way, where the request is traced. */
  readonly span?: Span | undefined;
  /** What the caller says of its trace, read when it is asked for. */
  readonly trace?: CallerTrace;
  /** Adds to a phase of Server-Timing. */
  addTiming(phase: string, milliseconds: number): void;
}

/**
 * How it was found out whether an update changes anything but times: by managed fields alone, or by all of the object
 * (endpoints/metrics request_timestamp_comparison_time, 1.36).
 */
export type ComparisonPath = 'unequal_objects_fast' | 'unequal_objects_slow' | 'equal_objects';

/** What handlers tell of a request besides its answer. */
export interface HandlerCounter {
  /** So many bytes of its body were read. */
  bodyRead(context: RequestContext, bytes: number): void;
  /** What an update would store was compared with what is stored, but for times. */
  timestampsCompared(path: ComparisonPath, seconds: number): void;
}

/** A fault that happens to a request. */
export interface RequestFault {
  /** Names it in the control API; absent behind a hop. */
  readonly id?: string;
  /** The store's revision that it is answered at. */
  readonly readAt?: number | undefined;
  /** Another writer is to be faster than it, once. */
  overtaken?: boolean;
}

/** Objects for the audit log. They are rendered when the response closes, so they must not be changed afterwards. */
export interface AuditObjects {
  /** Ask before making an object for the log alone. */
  readonly wantsRequest: boolean;
  readonly wantsResponse: boolean;
  /** The decoded body (a patch as it came). Also completes name and namespace of the event, at any level. */
  setRequest(object: KubeObject): void;
  /** Whether objects that are recorded are to be without their managed fields. */
  readonly omitsManagedFields: boolean;
  /** A Status counts at any level. */
  setResponse(object: KubeObject | Status): void;
  /** An answer that exists as JSON, and is none of a Status; without managed fields, where they are to be omitted. */
  setResponseText(text: JSONText): void;
}

/** A request that went through the RequestInfo filter. */
interface RequestWithContext extends IncomingMessage {
  requestContext?: RequestContext;
}

/** The context of a request; undefined before the RequestInfo filter has run. */
export function findRequestContext(request: IncomingMessage): RequestContext | undefined {
  return (request as RequestWithContext).requestContext;
}

/**
 * The context of a request inside the handler chain.
 * @throws TypeError when the request never went through the chain: a wiring mistake, not a client's.
 */
export function getRequestContext(request: IncomingMessage): RequestContext {
  const context = (request as RequestWithContext).requestContext;
  if (context === undefined) throw new TypeError('request has no context: it did not pass the RequestInfo filter');
  return context;
}

/** Gives a request its context; done once, by the first filter, or by a test that calls a handler directly. */
export function setRequestContext(request: IncomingMessage, context: RequestContext): void {
  (request as RequestWithContext).requestContext = context;
}
