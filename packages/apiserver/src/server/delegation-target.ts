import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { DiscoveryUpdate } from '../endpoints/discovery/discovery-feed.ts';
import type { StatsByResource } from '../flowcontrol/object-stats.ts';
import type { OpenAPIDelegate } from '../openapi/open-api-source.ts';
import type { HealthCheckResult, HealthEndpoint } from '../health/health-check.ts';

/** The way to the next server at the moment. */
export interface DelegateState {
  readonly name: string;
  /** One link for all requests; HTTP while there is none; `silent`: the target does not respond. */
  readonly way: 'link' | 'http' | 'silent';
  /** Requests that it has and that are not answered in full, watches and upgrades among them. */
  readonly underWay: number;
}

/**
 * The next server in the chain. Two implementations behave alike: over HTTP (separate processes) and in-process.
 * Authentication and authorization have been done: the target believes the request's context (upstream's
 * UnprotectedHandler).
 */
export interface DelegationTarget {
  /** Name for logs, readyz and Server-Timing, e.g. `kube-apiserver`. */
  readonly name: string;
  /** Answers the request whatever happens: 503 with Retry-After and a Status when the target cannot. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Resolves when the target answers; rejects with the reason. Bounded by `signal`. */
  healthCheck(signal: AbortSignal): Promise<void>;
  /** The target's own health checks, for the report of the server in front. Rejects when the target does not answer. */
  health?(endpoint: HealthEndpoint, signal: AbortSignal): Promise<readonly HealthCheckResult[]>;
  /**
   * Paths that the target serves, for the list at `/` of the server in front. Rejects when the target does not answer.
   */
  listedPaths?(signal: AbortSignal): Promise<readonly string[]>;
  /** Makes what is counted here of the way to the target part of this server's own metrics. */
  registerMetrics?(registry: MetricRegistry): void;
  /**
   * Metrics of the target and those behind it, as /metrics shows them. Rejects when the target does not answer.
   */
  metrics?(signal: AbortSignal): Promise<string>;
  /**
   * What is stored of the resources that the target and those behind it serve. Rejects when the target does not answer.
   */
  objectStats?(signal: AbortSignal): Promise<StatsByResource>;
  /**
   * Follows what the target and those behind it serve until `signal` aborts; a broken link is made again, and begins
   * with a complete update.
   */
  followDiscovery?(onUpdate: (update: DiscoveryUpdate) => void, signal: AbortSignal): void;
  /** OpenAPI documents of the target and those behind it; absent at the end of the chain. */
  readonly openAPI?: OpenAPIDelegate;
  /** Absent where there is no way: in one process. */
  describe?(): DelegateState;
  close(): Promise<void>;
}
