import { formatGroupResource } from '@kubechain/apimachinery';
import type { ResourceCount } from '@kubechain/shared-storage/factory';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { DiscoveryEndpoints } from '../endpoints/discovery/discovery-endpoints.ts';
import { applyDiscoveryUpdate, DiscoveryFeed } from '../endpoints/discovery/discovery-feed.ts';
import { DiscoveryManager } from '../endpoints/discovery/discovery-manager.ts';
import { APIInstaller } from '../endpoints/installer/api-installer.ts';
import type { APIInstallerOptions } from '../endpoints/installer/installed-resource.ts';
import { composeFilters, type Handler } from '../request/filter.ts';
import { InFlightRequests } from '../filters/in-flight-requests.ts';
import {
  logCheck,
  loopbackCertificateCheck,
  pingCheck,
  type HealthCheck,
  type HealthCheckResult,
  type HealthEndpoint,
} from '../health/health-check.ts';
import { HealthEndpoints } from '../health/health-endpoints.ts';
import type { Exposition } from '../metrics/exposition.ts';
import { mergeExpositions } from '../metrics/merge-expositions.ts';
import type { StatsByResource } from '../flowcontrol/object-stats.ts';
import { OpenAPIService } from '../openapi/open-api-service.ts';
import type { APIGroupInfo } from '../endpoints/installer/api-group-info.ts';
import type { CompletedConfig } from './completed-config.ts';
import type { DelegationTarget } from './delegation-target.ts';
import { Director } from './director.ts';
import {
  buildDelegatedHandlerChain,
  buildHandlerChain,
  precondition,
  type HandlerChainOptions,
} from './handler-chain.ts';
import { installRoutes } from './install-routes.ts';
import { NonResourceMux } from '../mux/non-resource-mux.ts';
import { PostStartHooks, type PostStartHook, type PreShutdownHook } from './post-start-hooks.ts';
import { trustInsecure } from './serving/insecure-serving.ts';
import { PreparedServer } from './prepared-server.ts';
import { ResourceRouteTable } from './resource-route-table.ts';
import type { ListeningServer, RoutedServer } from './routed-server.ts';
import { ServerMetrics } from './server-metrics.ts';
import { routeUpgrade, upgradeHandler } from './upgrades.ts';

/** Ms that the delegate gets to list its paths for `/`. */
const listPathsTimeoutMs = 2_000;

/**
 * One API server of the chain (upstream's GenericAPIServer): routes, discovery, filters, health, hooks, and the
 * delegate that answers what it does not know.
 *
 *     request → filters → Director ─installed resource→ verb handler
 *                                  └─everything else──→ NonResourceMux → delegate → … → 404
 *
 * Made by `completeConfig(config).newServer(name, delegate)`; then `prepareRun()` and `run(signal)`.
 */
export class GenericAPIServer implements RoutedServer, ListeningServer {
  readonly name: string;
  readonly config: CompletedConfig;
  readonly delegate: DelegationTarget;
  /** Everything that is not a resource request; register own paths here before `prepareRun`. */
  readonly nonResourceMux: NonResourceMux;
  readonly routes = new ResourceRouteTable();
  readonly discovery: DiscoveryManager;
  /** What those behind this server serve, pushed by the delegate. */
  readonly delegatedDiscovery = new DiscoveryManager();
  /** What readyz waits for besides post-start hooks; to be set before `prepareRun`. */
  whole: Promise<void> = Promise.resolve();
  /** Resolves when all that this server serves itself is in its discovery; set before `prepareRun`. */
  installed: Promise<void> = Promise.resolve();
  /** Own and delegated discovery, streamed to the server in front. */
  readonly discoveryFeed: DiscoveryFeed;
  /** For groups that come and go while the server runs (custom resources); `installAPIGroups` for the others. */
  readonly installer: APIInstaller;
  /** OpenAPI documents of this server and of those behind it. */
  readonly openAPI: OpenAPIService;
  readonly director: Director;
  readonly inFlight = new InFlightRequests();
  readonly hooks = new PostStartHooks();
  /** The filters and what is behind them, for the secure port. */
  readonly handler: Handler;
  /** The same for the delegate listener, without the filters that the process in front has already run. */
  readonly delegatedHandler: Handler;
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  readonly delegatedUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  readonly insecureSockets = new WeakSet<object>();
  readonly #unprotected: Handler;
  readonly #health: HealthEndpoints;
  readonly #discoveryEndpoints: DiscoveryEndpoints;
  readonly #informers: ((signal: AbortSignal) => Promise<void>)[] = [];
  readonly #follow = new AbortController();
  readonly #leaveHeap: (() => void) | undefined;
  readonly #delegatedWhole = Promise.withResolvers<void>();
  #objectCounts: () => Promise<readonly ResourceCount[]> = () => Promise.resolve([]);
  #exposition: Promise<Exposition> | undefined;
  #shuttingDown = false;
  #hasBeenReady = false;

  constructor(name: string, config: CompletedConfig, delegate: DelegationTarget) {
    this.name = name;
    this.config = config;
    this.delegate = delegate;
    this.discovery = new DiscoveryManager({ byPriority: config.discoveryByPriority });
    this.discoveryFeed = new DiscoveryFeed(this.discovery, this.delegatedDiscovery);
    this.#leaveHeap = config.heap?.onChange((full) => {
      this.discoveryFeed.tellFull(full);
    });
    const metrics = new ServerMetrics(config);
    delegate.registerMetrics?.(config.metrics);
    this.nonResourceMux = new NonResourceMux({
      notFound: (request, response) => {
        delegate.handle(request, response);
      },
    });
    this.director = new Director({
      routes: this.routes,
      mux: this.nonResourceMux,
      auditor: config.auditor,
      breakOn: config.breakOn,
    });
    this.installer = new APIInstaller(this.#installerOptions(metrics));
    const chain = this.#chainOptions(metrics);
    const filters = metrics.filterDurations.measured(buildHandlerChain(chain));
    const delegatedFilters = buildDelegatedHandlerChain(chain);
    this.handler = composeFilters(filters, this.director.serve);
    this.delegatedHandler = composeFilters(delegatedFilters, this.director.serve);
    this.#unprotected = composeFilters(precondition(config), this.director.serve);
    this.upgrade = upgradeHandler(filters, { director: this.director, delegate });
    this.delegatedUpgrade = upgradeHandler(delegatedFilters, { director: this.director, delegate });
    this.#health = this.#makeHealth();
    this.#addOwnHooks();
    this.#discoveryEndpoints = new DiscoveryEndpoints({
      cbor: config.cbor,
      manager: this.discovery,
      mux: this.nonResourceMux,
      roots: config.serveDiscoveryRoots,
      serverAddress: () => config.externalAddress ?? '',
    });
    installRoutes(this);
    this.openAPI = new OpenAPIService({
      installer: this.installer,
      discovery: this.discovery,
      delegatedDiscovery: this.delegatedDiscovery,
      mux: this.nonResourceMux,
      delegate,
      clock: config.clock,
      pathPrefix: config.pathPrefix,
      cbor: config.cbor,
      release: config.release,
    });
  }

  #installerOptions({ watches }: ServerMetrics): APIInstallerOptions {
    const { config } = this;
    return {
      routes: this.routes,
      discovery: this.discovery,
      admission: config.admission,
      authorizer: config.authorizer,
      clock: config.clock,
      random: config.randomness.random,
      deferRoutes: config.deferRoutes,
      minRequestTimeoutMs: config.minRequestTimeoutMs,
      unsafeDeletion: config.unsafeDeletion,
      sharding: config.sharding,
      cbor: config.cbor,
      sideServer: config.sideServer,
      release: config.release,
      watchMetrics: watches,
    };
  }

  #chainOptions(metrics: ServerMetrics): HandlerChainOptions {
    const { config, name } = this;
    return {
      name,
      clock: config.clock,
      randomness: config.randomness,
      metrics: metrics.requests,
      authenticationMetrics: metrics.authentication,
      authorizationMetrics: metrics.authorization,
      filterDurations: metrics.filterDurations,
      inFlight: this.inFlight,
      requestTimeoutMs: config.requestTimeoutMs,
      corsAllowedOrigins: config.corsAllowedOrigins,
      hstsDirectives: config.hstsDirectives,
      goawayChance: config.goawayChance,
      maxWatchesPerUser: config.maxWatchesPerUser,
      authenticator:
        config.insecureServing === undefined
          ? config.authenticator
          : trustInsecure(config.authenticator, this.insecureSockets),
      authorizer: config.authorizer,
      flowController: config.flowController,
      auditor: config.auditor,
      storageVersions: config.storageVersions,
      control: config.control,
      meetsFaults: config.meetsFaults,
      watcher: config.watcher,
      tracer: config.tracer,
      watchdog: config.watchdog,
      heap: config.heap,
      shutdownSendRetryAfter: config.shutdownSendRetryAfter,
      servedBy: config.servedByHeader ? name : undefined,
    };
  }

  /** Health endpoints with the checks of every server; more come with hooks and from `addHealthChecks`. */
  #makeHealth(): HealthEndpoints {
    const { config, delegate } = this;
    const behind = delegate.health?.bind(delegate);
    const health = new HealthEndpoints({
      mux: this.nonResourceMux,
      now: () => config.clock.now(),
      delegate: behind === undefined ? undefined : { name: delegate.name, health: behind },
    });
    health.add(pingCheck);
    health.add(logCheck);
    if (config.release.since('1.36')) health.add(loopbackCertificateCheck, { to: ['healthz', 'livez'] });
    health.add(
      {
        name: 'informer-sync',
        check: () => {
          this.hooks.requireDone(/informer/);
        },
      },
      { to: ['readyz'] },
    );
    health.onFirstReady(() => {
      this.#hasBeenReady = true;
    });
    return health;
  }

  /** Post-start hooks that every server has in the reference; readyz lists them by name. */
  #addOwnHooks(): void {
    // Plugins are made before the server listens, so this one has nothing to do.
    this.addPostStartHook('start-apiserver-admission-initializer', () => undefined);
    this.addPostStartHook('generic-apiserver-start-informers', async ({ signal }) => {
      await Promise.all(this.#informers.map((waitForSync) => waitForSync(signal)));
    });
    // Objects are counted when somebody looks, so neither has this one.
    this.addPostStartHook('storage-object-count-tracker-hook', () => undefined);
  }

  /** Whether readyz has succeeded once. */
  get hasBeenReady(): boolean {
    return this.#hasBeenReady;
  }
  /** Whether the server has been told to stop. */
  get shuttingDown(): boolean {
    return this.#shuttingDown;
  }

  /** Installs the core group under /api. */
  installLegacyAPIGroup(info: APIGroupInfo): void {
    this.#install(info);
  }

  /** Installs groups under /apis. */
  installAPIGroups(infos: readonly APIGroupInfo[]): void {
    for (const info of infos) this.#install(info);
  }

  /** `run` starts when the server listens; its health check `poststarthook/<name>` fails until it is done. */
  addPostStartHook(name: string, run: PostStartHook): void {
    this.#health.add(this.hooks.add(name, run), { livezGraceMs: this.config.livezGraceMs });
  }

  /** Registers an informer that filters or admission depend on; `informer-sync` fails until all of them have synced. */
  addInformer(waitForSync: (signal: AbortSignal) => Promise<void>): void {
    this.#informers.push(waitForSync);
  }

  /** `run` is awaited while stopping, before requests are refused. */
  addPreShutdownHook(name: string, run: PreShutdownHook): void {
    this.hooks.addPreShutdown(name, run);
  }

  /**
   * Adds checks to healthz, livez (unless told otherwise) and readyz. Reports are in the reference's order, whatever
   * the order of adding.
   */
  addHealthChecks(checks: readonly HealthCheck[], { livez = true }: { readonly livez?: boolean } = {}): void {
    for (const check of checks) this.#health.add(check, livez ? {} : { to: ['healthz', 'readyz'] });
  }

  /** Adds checks to readyz alone. */
  addReadyzChecks(checks: readonly HealthCheck[]): void {
    for (const check of checks) this.#health.add(check, { to: ['readyz'] });
  }

  /** Adds checks to livez alone, hidden for `livezGraceMs`. */
  addLivezChecks(checks: readonly HealthCheck[], livezGraceMs = 0): void {
    for (const check of checks) this.#health.add(check, { to: ['livez'], livezGraceMs });
  }

  /** The server without its filters: for a delegating server in the same process (upstream's UnprotectedHandler). */
  unprotectedHandler(request: IncomingMessage, response: ServerResponse): void {
    this.#unprotected(request, response);
  }

  unprotectedUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    routeUpgrade(request, { socket, head }, { director: this.director, delegate: this.delegate });
  }

  health(endpoint: HealthEndpoint, signal: AbortSignal): Promise<readonly HealthCheckResult[]> {
    return this.#health.results(endpoint, signal);
  }

  /** Sets where the server gets its resources' object counts from; flow control estimates the cost of lists by them. */
  setObjectCounts(counts: () => Promise<readonly ResourceCount[]>): void {
    this.#objectCounts = counts;
  }

  /** Object counts and sizes of this server's resources and those behind it. @throws when those do not answer */
  async objectStats(signal: AbortSignal): Promise<StatsByResource> {
    const [own, behind] = await Promise.all([this.#objectCounts(), this.delegate.objectStats?.(signal)]);
    const stats = new Map(behind);
    for (const { resource, objects, bytes } of own)
      if (objects !== undefined) stats.set(formatGroupResource(resource), { objects, bytes });
    return stats;
  }

  /**
   * What /metrics shows of this server and its process; loaded when it is first asked for. Its `registry` takes further
   * prom-client metrics.
   */
  exposition(): Promise<Exposition> {
    return (this.#exposition ??= import('../metrics/exposition.ts').then(
      ({ Exposition: Loaded }) => new Loaded(this.config.metrics, this.config.disabledMetrics),
    ));
  }

  /** The same with the metrics of the servers behind; without those of a server that does not answer. */
  async metrics(signal: AbortSignal): Promise<string> {
    const [own, behind] = await Promise.all([
      this.exposition().then((exposition) => exposition.text()),
      this.delegate.metrics?.(signal).catch((): undefined => undefined),
    ]);
    return behind === undefined ? own : mergeExpositions([own, behind]);
  }

  /** As RoutedServer. */
  serviceLevelMetrics(): Promise<string> {
    return this.#health.metrics.text();
  }

  /** Sorted paths for `/`, the delegate's included; a delegate that does not answer is left out. */
  async listedPaths(signal: AbortSignal = AbortSignal.timeout(listPathsTimeoutMs)): Promise<readonly string[]> {
    const delegated = (await this.delegate.listedPaths?.(signal).catch((): readonly string[] => [])) ?? [];
    return [...new Set([...this.nonResourceMux.listedPaths(), ...delegated])].sort();
  }

  /** The last step before listening: afterwards only custom resources and the like are registered. */
  prepareRun(): PreparedServer {
    this.#health.add(
      {
        name: 'shutdown',
        check: () => {
          if (this.#shuttingDown) throw new TypeError('process is shutting down');
        },
      },
      { to: ['readyz'] },
    );
    if (this.delegate.followDiscovery === undefined) this.#tellDelegatedWhole();
    this.delegate.followDiscovery?.((update) => {
      applyDiscoveryUpdate(this.delegatedDiscovery, update);
      if (update.whole === true) this.#tellDelegatedWhole();
      if (update.complete === true || update.full !== undefined) this.config.heap?.tellBehind(update.full === true);
    }, this.#follow.signal);
    return new PreparedServer(this);
  }

  /** Makes readyz fail; the first step of stopping. */
  beginShutdown(): void {
    this.#shuttingDown = true;
  }

  /**
   * Stops following the delegate's discovery and publishing discovery and OpenAPI. What the server was given is its
   * owner's to close. Idempotent.
   */
  close(): void {
    this.#follow.abort();
    this.#leaveHeap?.();
    this.discoveryFeed.close();
    this.#discoveryEndpoints.close();
    this.openAPI.close();
  }

  /** Resolves when all servers behind this one have said what they serve. */
  get delegatedWhole(): Promise<void> {
    return this.#delegatedWhole.promise;
  }

  #tellDelegatedWhole(): void {
    this.#delegatedWhole.resolve();
    void this.installed.then(() => {
      this.discoveryFeed.tellWhole();
    });
  }

  #install(info: APIGroupInfo): void {
    this.installer.installGroup(info);
    this.director.claim(info.group);
  }
}
