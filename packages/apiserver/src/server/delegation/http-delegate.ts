import { parseJSON } from '@kubechain/apimachinery';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { writeError } from '../../responses/write-status.ts';
import { getRequestContext } from '../../request/request-context.ts';
import { serverContext } from '../../request/server-context.ts';
import type { DocumentV2 } from '../../openapi/document-v2.ts';
import type { OpenAPIDelegate, OpenAPIIndex } from '../../openapi/open-api-source.ts';
import type { DelegateState, DelegationTarget } from '../delegation-target.ts';
import type { HealthCheckResult, HealthEndpoint } from '../../health/health-check.ts';
import { parseHealthReport } from '../../health/health-report.ts';
import type { DelegateAddress } from './delegate-address.ts';
import { unansweredStatus, unreachableStatus } from './delegation-error.ts';
import { hasBodyToSend } from './has-body-to-send.ts';
import { HopClient } from './hop-client.ts';
import type { ExchangeTermination } from '../../metrics/exchange-terminations.ts';
import { HopTerminations } from './hop-termination.ts';
import type { ResourceStats, StatsByResource } from '../../flowcontrol/object-stats.ts';
import { objectStatsPath } from '../../request/object-stats-path.ts';
import type { DiscoveryUpdate } from '../../endpoints/discovery/discovery-feed.ts';
import { followDiscovery } from './follow-discovery.ts';
import { fetchText } from './internal-fetch.ts';
import { HTTPRelay } from './http-relay.ts';
import { LinkRelay } from './link/link-relay.ts';
import { LinkSource } from './link/link-source.ts';
import type { Relay, RelayOptions, RelayOwner } from './relay.ts';
import { spliceUpgrade } from './splice-upgrade.ts';
import { stampedHeaders, stampedWithFault, type StampedHeaders } from './stamped-headers.ts';
import { TargetLiveness } from './target-liveness.ts';
import type { HopTLSSource } from './tls-to.ts';

/** The next process, and how to reach it. */
export interface HttpDelegateOptions {
  /** The next process's name, for logs, health checks and error texts. */
  readonly name: string;
  readonly address: DelegateAddress;
  readonly tls?: HopTLSSource;
  /** For the connection itself, which a busy target accepts as fast as any. Default 1,500. */
  readonly connectTimeoutMs?: number;
  /** A request that waits this long for headers makes the delegate probe its target. Default 2,000. */
  readonly suspectAfterMs?: number;
  /**
   * How long the target may be without any sign of life, from the probe on, before all waiting requests are failed;
   * so long it may also take for a handshake.
   * Default 10,000: what a watchdog gives one piece of work before it ends its process (--watchdog-timeout).
   */
  readonly probeTimeoutMs?: number;
  /**
   * While true, silence is taken for a breakpoint and waited out. Default: whether this process has an inspector open.
   */
  readonly debugged?: () => boolean;
  /** Whether requests go over one link, once it is open; over HTTP otherwise. Default true. */
  readonly link?: boolean;
  /** Told of the end of each request, before anything is answered for a target that did not. */
  readonly ended?: (reason: ExchangeTermination) => void;
  /**
   * Told of a request for which no connection could be made, so that the target has nothing of it: true where somebody
   * else answers it. Default: it is answered with 503.
   */
  readonly unsent?: (response: ServerResponse) => boolean;
  /** Whether requests may bring faults that happen behind the hop. Default false. */
  readonly meetsFaults?: boolean;
}

/** Streams keep their connections for hours: those of short requests are left to short requests. */
interface Clients {
  readonly short: HopClient;
  readonly long: HopClient;
}

/**
 * Hands requests to the next process over a link (docs/link.md), and over HTTP/1.1 while there is none; upgrades,
 * health checks and documents always go over HTTP. The identity that the filters found goes along in headers
 * (`stampIdentity`), the target's delegate listener believes it.
 *
 * Never hangs: a target that cannot be connected gives 503 within the connect timeout; one that accepts connections
 * and says nothing is probed, and when neither the probe nor anything else is answered for longer than a target that
 * has much to do needs, everything that waits for headers gets 503, and new requests get it at once until a probe
 * succeeds, except while this process is being debugged. Requests that are slow behind a living target are left alone:
 * their own deadline ends them.
 */
export function httpDelegate(options: HttpDelegateOptions): ReadBodyTarget {
  return new HttpDelegate(options);
}

/** A target that takes requests whose bodies were read by the server in front. */
export interface ReadBodyTarget extends DelegationTarget {
  /** As `handle`, with that body. */
  handleRead(request: IncomingMessage, response: ServerResponse, body: Buffer): void;
}

class HttpDelegate implements ReadBodyTarget, RelayOwner {
  readonly name: string;
  readonly #options: HttpDelegateOptions;
  readonly #connectTimeoutMs: number;
  readonly #probeTimeoutMs: number;
  readonly #stampedHeaders: typeof stampedHeaders;
  readonly #clients: Clients;
  readonly #links: LinkSource | undefined;
  readonly #liveness: TargetLiveness;
  readonly #upgrades = new Set<Duplex>();
  readonly #terminations: HopTerminations;
  #closed = false;

  constructor(options: HttpDelegateOptions) {
    this.name = options.name;
    this.#options = options;
    this.#terminations = new HopTerminations(options.name);
    this.#connectTimeoutMs = options.connectTimeoutMs ?? 1_500;
    this.#probeTimeoutMs = options.probeTimeoutMs ?? 10_000;
    const debugged = options.debugged ?? hasInspector;
    this.#stampedHeaders = options.meetsFaults === true ? stampedWithFault : stampedHeaders;
    const reached = {
      address: options.address,
      connectTimeoutMs: this.#connectTimeoutMs,
      patienceMs: this.#probeTimeoutMs,
      ...(options.tls === undefined ? {} : { tls: options.tls }),
    };
    this.#clients = { short: new HopClient(reached), long: new HopClient(reached) };
    this.#links =
      options.link === false
        ? undefined
        : new LinkSource(
            () => ({
              address: options.address,
              tls: options.tls?.(),
              connectTimeoutMs: this.#connectTimeoutMs,
              patienceMs: this.#probeTimeoutMs,
            }),
            {
              debugged,
              ended: (reason, servedMs) => {
                this.#terminations.ended(reason, 'link', { servedMs });
              },
            },
          );
    this.#liveness = new TargetLiveness({
      name: options.name,
      suspectAfterMs: options.suspectAfterMs ?? 2_000,
      probeTimeoutMs: this.#probeTimeoutMs,
      debugged,
      probe: (signal) => this.healthCheck(signal),
      signs: () => this.#links?.heard ?? 0,
    });
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    this.#handle(request, response, undefined);
  }

  handleRead(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    this.#handle(request, response, body);
  }

  #handle(request: IncomingMessage, response: ServerResponse, body: Buffer | undefined): void {
    const context = serverContext(request);
    context.delegate = this.name;
    if (this.#liveness.unresponsive) {
      writeError(request, response, unreachableStatus(this.name, 'it does not respond'));
      return;
    }
    const step = context.span?.child(`HTTP ${request.method ?? 'GET'}`, {
      kind: 'client',
      attributes: { 'server.address': this.name, 'http.request.method': request.method ?? 'GET' },
    });
    const headers = this.#stampedHeaders(request, context, step);
    const options = { owner: this, streaming: context.longRunning, body };
    const relay =
      this.#overLink(request, response, { headers, options }) ??
      this.#overHTTP(request, response, { headers, options });
    // A shutdown waits for short requests and ends long ones.
    if (context.longRunning)
      context.signal.addEventListener(
        'abort',
        () => {
          relay.finish();
        },
        { once: true },
      );
  }

  /** Sends a request over the link; undefined when there is none. */
  #overLink(
    request: IncomingMessage,
    response: ServerResponse,
    { headers, options }: { readonly headers: StampedHeaders; readonly options: RelayOptions },
  ): Relay | undefined {
    const link = this.#links?.current();
    if (link === undefined) return undefined;
    const relay = new LinkRelay(request, response, { ...options, link });
    this.relayStarted(relay);
    relay.start({
      method: request.method ?? 'GET',
      url: request.url ?? '/',
      block: headers.common,
      own: headers.own,
      hasBody: options.body !== undefined || hasBodyToSend(request),
    });
    return relay;
  }

  #overHTTP(
    request: IncomingMessage,
    response: ServerResponse,
    { headers, options }: { readonly headers: StampedHeaders; readonly options: RelayOptions },
  ): Relay {
    const relay = new HTTPRelay(request, response, options);
    this.relayStarted(relay);
    relay.start(options.streaming ? this.#clients.long : this.#clients.short, {
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      fields: [...headers.common, ...headers.own],
      hasBody: options.body !== undefined || hasBodyToSend(request),
    });
    return relay;
  }

  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const context = serverContext(request);
    context.delegate = this.name;
    context.watchInitialized();
    const headers = this.#stampedHeaders(request, context, context.span);
    const startedAt = performance.now();
    spliceUpgrade({
      address: this.#options.address,
      connectTimeoutMs: this.#connectTimeoutMs,
      patienceMs: this.#probeTimeoutMs,
      request,
      headers: [...headers.common, ...headers.own, 'Connection', 'Upgrade', 'Upgrade', String(request.headers.upgrade)],
      socket,
      head,
      name: this.name,
      sockets: this.#upgrades,
      ended: (reason) => {
        this.#terminations.ended(this.#closed ? { kind: 'shutting_down' } : reason, 'upgrade', {
          servedMs: performance.now() - startedAt,
          auditID: context.auditID,
          uri: request.url ?? '',
        });
      },
      ...(this.#options.tls === undefined ? {} : { tls: this.#options.tls }),
    });
  }

  async healthCheck(signal: AbortSignal): Promise<void> {
    const { status } = await fetchText(this.#clients.short, { path: '/livez/ping', signal });
    if (status !== 200) throw unreachableStatus(this.name, `/livez/ping answered ${status}`);
  }

  async health(endpoint: HealthEndpoint, signal: AbortSignal): Promise<readonly HealthCheckResult[]> {
    const { body } = await fetchText(this.#clients.short, { path: `/${endpoint}?verbose`, signal });
    return parseHealthReport(body);
  }

  async listedPaths(signal: AbortSignal): Promise<readonly string[]> {
    const { status, body } = await this.#fetchText('/', signal);
    if (status !== 200) return [];
    const { paths } = parseJSON(body) as { readonly paths?: readonly string[] };
    return paths ?? [];
  }

  registerMetrics(registry: MetricRegistry): void {
    this.#terminations.register(registry);
  }

  async metrics(signal: AbortSignal): Promise<string> {
    const { status, body } = await this.#fetchText('/metrics', signal);
    if (status !== 200) throw unreachableStatus(this.name, `/metrics answered ${status}`);
    return body;
  }

  async objectStats(signal: AbortSignal): Promise<StatsByResource> {
    return new Map((await this.#fetchJSON(objectStatsPath, signal)) as [string, ResourceStats][]);
  }

  readonly openAPI: OpenAPIDelegate = {
    index: async (signal) => (await this.#fetchJSON('/openapi/v3', signal)) as OpenAPIIndex,
    documentV2: async (signal) => (await this.#fetchJSON('/openapi/v2', signal)) as DocumentV2,
  };

  async #fetchJSON(path: string, signal: AbortSignal): Promise<unknown> {
    const { status, body } = await this.#fetchText(path, signal);
    if (status !== 200) throw unreachableStatus(this.name, `${path} answered ${status}`);
    return parseJSON(body);
  }

  /** Does not wait for a target that is known to be silent. */
  async #fetchText(path: string, signal: AbortSignal): Promise<{ readonly status: number; readonly body: string }> {
    if (this.#liveness.unresponsive) throw unreachableStatus(this.name, 'it does not respond');
    return fetchText(this.#clients.short, { path, signal });
  }

  followDiscovery(onUpdate: (update: DiscoveryUpdate) => void, signal: AbortSignal): void {
    void followDiscovery({
      client: this.#clients.long,
      onUpdate,
      // It is there: the first request need not wait for its link.
      onAnswer: () => this.#links?.current(),
      ended: (reason, servedMs) => {
        this.#terminations.ended(reason, 'discovery', { servedMs });
      },
      signal,
    });
  }

  describe(): DelegateState {
    const way = this.#liveness.unresponsive ? 'silent' : this.#links?.isOpen === true ? 'link' : 'http';
    return { name: this.name, way, underWay: this.#liveness.underWay + this.#upgrades.size };
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#liveness.close();
    for (const socket of this.#upgrades) socket.destroy();
    this.#links?.close(new Error('the server is shutting down'));
    this.#clients.short.close();
    this.#clients.long.close();
    return Promise.resolve();
  }

  relayStarted(relay: Relay): void {
    this.#liveness.started(relay);
  }

  relayEnded(relay: Relay, reason: ExchangeTermination): void {
    this.#liveness.ended(relay, { answered: reason.kind === 'completed' });
    this.#options.ended?.(reason);
    this.#terminations.ended(reason, relay.streaming ? 'stream' : 'request', {
      servedMs: performance.now() - relay.startedAt,
      auditID: getRequestContext(relay.request).auditID,
      uri: relay.request.url ?? '',
    });
  }

  relayFailed(relay: Relay, error: Error): void {
    if ((error as NodeJS.ErrnoException).syscall === 'connect' && this.#options.unsent?.(relay.response) === true)
      return;
    writeError(relay.request, relay.response, unansweredStatus(this.name, relay, error));
  }
}

function hasInspector(): boolean {
  return process.getBuiltinModule('node:inspector').url() !== undefined;
}
