import type { UserInfo } from '../authentication/authenticator.ts';

/** request.RequestInfo: what a URL and method mean. Field names are upstream's. */
export interface RequestInfo {
  readonly isResourceRequest: boolean;
  /** URL path without query. */
  readonly path: string;
  /** get, list, watch, create, update, patch, delete, deletecollection; for non-resource requests the lower-case method. */
  readonly verb: string;
  /** `api` or `apis`. */
  readonly apiPrefix: string;
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** Path parts after the resource's own: name, subresource, and what follows (proxy paths). */
  readonly parts: readonly string[];
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
}

/** What the filters found out about one request; made once, filled on the way down. Lives on the request under `requestContext`. */
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
  /** Adds a phase to Server-Timing. */
  addTiming(phase: string, milliseconds: number): void;
}
