import type { ReadSource } from '@kubechain/shared-storage';
import type { CacheExtent } from '@kubechain/shared-storage/factory';
import type { DelegateState } from '../server/delegation-target.ts';
import type { ObservedChange, ObservedDecision, ObservedSpan } from '../request/request-observation.ts';

/** How the page's own requests, which it is not told of, are known. */
export const pageUserAgent = 'kubechain-page';

/** One request as one process saw it, when its answer has ended. */
export interface RequestMessage {
  readonly kind: 'request';
  readonly auditID: string;
  /** Milliseconds of the machine's monotonic clock, the same in all processes. */
  readonly startedMs: number;
  readonly durationMs: number;
  readonly method: string;
  readonly uri: string;
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  /** With its subresource: `deployments/status`; '' for paths that are no resources. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly user: string;
  readonly groups: readonly string[];
  readonly impersonator?: string;
  readonly userAgent: string;
  /** `address:port` of the client. */
  readonly client: string;
  readonly code: number;
  /** False when the client did not get the whole answer. */
  readonly complete: boolean;
  /** Server that the request was handed to; '' when this one answered. */
  readonly delegate: string;
  readonly fault?: string;
  readonly queuedMs: number;
  /** Of the body, as its header says; -1 where it does not. */
  readonly requestBytes: number;
  readonly accept: string;
  readonly contentType: string;
  /** Where the request was among those that are looked at closely. */
  readonly observed?: {
    readonly credential: string;
    readonly decision?: ObservedDecision;
    readonly flowSchema: string;
    readonly priorityLevel: string;
    readonly spans: readonly ObservedSpan[];
    readonly changes: readonly ObservedChange[];
    readonly before?: string;
    readonly after?: string;
    readonly responseBytes: number;
    /** Who has answered a read of storage. */
    readonly source?: ReadSource;
  };
}

/** One request that has not been answered yet, as one process sees it. */
export interface OpenRequest extends Pick<
  RequestMessage,
  'auditID' | 'group' | 'method' | 'name' | 'namespace' | 'resource' | 'uri' | 'user' | 'verb' | 'delegate'
> {
  /** For how long the process has had it. */
  readonly forMs: number;
  /** What goes on there now: a filter, a plugin, a webhook, the storage; '' where that is not looked at. */
  readonly doing: string;
}

/** The requests that a process has had for a while, watches aside, the oldest first; none once it has none any more. */
export interface OpenRequestsMessage {
  readonly kind: 'open';
  readonly requests: readonly OpenRequest[];
  /** Others, which are not told. */
  readonly more: number;
}

/** Upper bounds of the buckets that latencies are counted in, ms; a last one has what took longer. */
export const latencyBoundsMs: readonly number[] = [
  0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 7.5, 10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 500, 1_000, 2_000, 5_000,
  10_000,
];

/** A second of a process. */
export interface LoadMessage {
  readonly kind: 'load';
  readonly pid: number;
  readonly uptimeSeconds: number;
  readonly node: string;
  readonly rssBytes: number;
  readonly heapUsedBytes: number;
  readonly externalBytes: number;
  /** Share of one processor, 0 to 1 and above for threads. */
  readonly processor: number;
  /** Share of the second that the event loop was busy. */
  readonly busy: number;
  /** How late timers were: half of them at most, 99 % of them, the worst, ms. */
  readonly delayMs: readonly [half: number, most: number, worst: number];
  /** Requests that ended, by verb; of other paths by `other`. */
  readonly ended: Readonly<Record<string, number>>;
  /** Of those, how many were answered with 400 and above, and 500 and above. */
  readonly failed: number;
  readonly broken: number;
  /** Of short requests; how many were in each bucket of latencyBoundsMs. */
  readonly latencies: readonly number[];
  /** The way to the next process; absent where there is none. */
  readonly delegate?: DelegateState;
  /** What the watch caches hold: objects, and events in the windows that watches can begin in. */
  readonly caches: CacheExtent;
  /** Requests that ended and are not told one by one: there were too many. */
  readonly untold: number;
}

/** One line of a process's stream. */
export type ProcessMessage = RequestMessage | OpenRequestsMessage | LoadMessage;
