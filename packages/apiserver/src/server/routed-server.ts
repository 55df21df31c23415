import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { DiscoveryFeed } from '../endpoints/discovery/discovery-feed.ts';
import type { Handler } from '../request/filter.ts';
import type { InFlightRequests } from '../filters/in-flight-requests.ts';
import type { StatsByResource } from '../flowcontrol/object-stats.ts';
import type { CompletedConfig } from './completed-config.ts';
import type { NonResourceMux } from '../mux/non-resource-mux.ts';
import type { PostStartHooks } from './post-start-hooks.ts';

type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** What the routes that every server has are answered from. */
export interface RoutedServer {
  readonly name: string;
  readonly config: CompletedConfig;
  readonly nonResourceMux: NonResourceMux;
  readonly discoveryFeed: DiscoveryFeed;
  /** Sorted paths for `/`, the delegate's included; a delegate that does not answer is left out. */
  listedPaths(signal?: AbortSignal): Promise<readonly string[]>;
  /** Objects by resource, those of the delegates included. */
  objectStats(signal: AbortSignal): Promise<StatsByResource>;
  /** The text of /metrics of the whole chain, as the reference's one process shows it. */
  metrics(signal: AbortSignal): Promise<string>;
  /** The text of /metrics/slis: what became of health checks. */
  serviceLevelMetrics(): Promise<string>;
}

/** What listens with a server, and stops it. */
export interface ListeningServer {
  readonly name: string;
  readonly config: CompletedConfig;
  readonly handler: Handler;
  readonly delegatedHandler: Handler;
  readonly upgrade: UpgradeHandler;
  /** Connections that came by the insecure port; whoever listens there adds them. */
  readonly insecureSockets: WeakSet<object>;
  readonly delegatedUpgrade: UpgradeHandler;
  readonly hooks: PostStartHooks;
  readonly inFlight: InFlightRequests;
  /** Makes readyz fail; the first step of stopping. */
  beginShutdown(): void;
  /** Stops following and telling. Idempotent. */
  close(): void;
}
