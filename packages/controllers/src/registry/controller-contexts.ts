import { systemClock, systemRandomness, TokenBucket, type TimerClock } from '@kubechain/apimachinery';
import { Logger } from '@kubechain/apiserver/logging';
import type { WorkQueueMetrics } from '@kubechain/shared-storage/metrics';
import { Client } from '../client/client.ts';
import type { RequestMetrics } from '../client/request-metrics.ts';
import { TransportError, type Transport } from '../client/transport.ts';
import type { ControllerContext, ControllerDescriptor, Elector } from '../controller/controller.ts';
import { serviceAccountToken } from '../controller/service-account-token.ts';
import { Discovery } from '../discovery/discovery.ts';
import { ServedResources } from '../discovery/served-resources.ts';
import { EventRecorder } from '../events/event-recorder.ts';
import type { InformerEnds } from '../informers/informer-ends.ts';
import { InformerFactory } from '../informers/informer-factory.ts';
import { defaultControllerFlags, type ControllerFlags } from '../options/controller-flags.ts';

/** Which controllers run, and how they reach the server. */
export interface StartControllersOptions {
  readonly controllers: readonly ControllerDescriptor[];
  /** The way to the server as the process itself (system:kube-controller-manager). */
  readonly transport: Transport;
  /** The process's token where the transport has no identity of its own. */
  readonly token?: () => string | Promise<string>;
  /**
   * The way to the server without identity, for controllers with tokens of their own; absent = all act as the
   * process.
   */
  readonly anonymousTransport?: Transport;
  /** The way to the server for what plays nodes and the scheduler; absent = they act as the process. */
  readonly simulationTransport?: Transport;
  /** Default: all defaults. */
  readonly flags?: ControllerFlags;
  /** Requests a second of each controller. Default: no limit. */
  readonly limit?: { readonly qps: number; readonly burst: number };
  /** How often informers show all objects again (`--min-resync-period`). Default: never. */
  readonly resyncMs?: number;
  /** Where informers count why their watches end. Default: nowhere. */
  readonly informerEnds?: InformerEnds;
  /** Where requests are counted. Default: nowhere. */
  readonly requestMetrics?: RequestMetrics;
  /** Where work queues are counted. Default: nowhere. */
  readonly queueMetrics?: WorkQueueMetrics;
  /** Makes who takes turns over another lease than the process's. Default: there are no turns. */
  readonly newElector?: (lease: string, client: Client) => Elector;
  readonly clock?: TimerClock;
  readonly random?: () => number;
  readonly signal: AbortSignal;
}

/** As kube-controller-manager's. */
const USER_AGENT = 'kube-controller-manager/v1.36.2';
const NAMESPACE = 'kube-system';

/** What controllers are made with: informers that all of them share, and a client for each. */
export class ControllerContexts {
  readonly informers: InformerFactory;
  readonly clock: TimerClock;
  readonly random: () => number;
  readonly log = new Logger('controllers');
  readonly #options: StartControllersOptions;
  readonly #flags: ControllerFlags;
  /** The process's own client. */
  readonly #base: Client;
  readonly #served: ServedResources;

  constructor(options: StartControllersOptions) {
    const {
      clock = systemClock,
      random = systemRandomness.random,
      requestMetrics: metrics,
      token,
      transport,
    } = options;
    this.#options = options;
    this.clock = clock;
    this.random = random;
    this.#flags = options.flags ?? defaultControllerFlags();
    const identity = { transport, ...(token === undefined ? {} : { token }) };
    this.#base = new Client({ ...identity, userAgent: USER_AGENT, clock, metrics });
    this.informers = new InformerFactory({
      client: this.#base,
      clock,
      random,
      ends: options.informerEnds,
      // Not all at the same time.
      ...(options.resyncMs === undefined ? {} : { resyncMs: options.resyncMs * (1 + random()) }),
      onError: (error, resource) => {
        // A server that is away is away for all informers; what it refuses concerns one.
        if (error instanceof TransportError)
          this.log.info('cannot reach the server', { resource, err: error.message }, 2);
        else this.log.error('cannot follow', error, { resource });
      },
    });
    this.#served = new ServedResources({ discovery: new Discovery(this.#base), clock, log: this.log });
  }

  contextFor(descriptor: ControllerDescriptor): ControllerContext {
    const { clock, informers, random } = this;
    const { newElector, queueMetrics, signal } = this.#options;
    const client = this.#clientFor(descriptor);
    const log = new Logger(descriptor.name);
    return {
      client,
      informers,
      discovery: new Discovery(client),
      served: this.#served,
      random,
      clock,
      log,
      queueMetrics,
      flags: this.#flags,
      newElector: newElector === undefined ? undefined : (lease) => newElector(lease, client),
      signal,
      recorder: (component) =>
        new EventRecorder({
          client,
          clock,
          random,
          component,
          signal,
          onError: (error) => log.error('cannot write an event', error),
        }),
    };
  }

  /** With the identity of the controller's service account where it has one, and the rate that it may ask at. */
  #clientFor({ limitFactor, name, serviceAccount, simulates }: ControllerDescriptor): Client {
    const { clock } = this;
    const { anonymousTransport, limit, requestMetrics: metrics, simulationTransport, token, transport } = this.#options;
    if (simulates === true && simulationTransport !== undefined)
      return new Client({ transport: simulationTransport, userAgent: name, clock });
    const { qps, burst } = limitFactor ?? { qps: 1, burst: 1 };
    const limiter =
      limit === undefined ? {} : { limiter: new TokenBucket(limit.qps * qps, limit.burst * burst, clock) };
    const identity =
      anonymousTransport === undefined || serviceAccount === undefined
        ? { transport, ...(token === undefined ? {} : { token }) }
        : {
            transport: anonymousTransport,
            token: serviceAccountToken({ client: this.#base, clock, namespace: NAMESPACE, name: serviceAccount }),
          };
    const userAgent =
      serviceAccount === undefined ? USER_AGENT : `${USER_AGENT}/system:serviceaccount:${NAMESPACE}:${serviceAccount}`;
    return new Client({ ...identity, ...limiter, userAgent, clock, metrics });
  }
}
