import { sleep, Backoff, systemClock, systemRandomness, type TimerClock } from '@kubechain/apimachinery';
import { Logger } from '@kubechain/apiserver/logging';
import { Client } from '../client/client.ts';
import { TransportError, type Transport } from '../client/transport.ts';
import { TokenBucket } from '@kubechain/apimachinery';
import type { Controller, ControllerContext, ControllerDescriptor, Elector } from '../controller/controller.ts';
import { serviceAccountToken } from '../controller/service-account-token.ts';
import { Discovery } from '../discovery/discovery.ts';
import { ServedResources } from '../discovery/served-resources.ts';
import { EventRecorder } from '../events/event-recorder.ts';
import type { InformerEnds } from '../informers/informer-ends.ts';
import { InformerFactory } from '../informers/informer-factory.ts';
import { defaultControllerFlags, type ControllerFlags } from '../options/controller-flags.ts';
import type { RequestMetrics } from '../client/request-metrics.ts';
import type { WorkQueueMetrics } from '@kubechain/shared-storage/metrics';

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

/** Controllers that have been started. */
export interface RunningControllers {
  /** Names of those that run. */
  readonly names: readonly string[];
  readonly informers: InformerFactory;
  /** Resolves when all have ended, after `signal` aborted. Rejects with the first error of one that ended by itself. */
  readonly done: Promise<void>;
}

/** As kube-controller-manager's. */
const USER_AGENT = 'kube-controller-manager/v1.36.2';
const NAMESPACE = 'kube-system';

/**
 * Makes controllers, starts the informers that they asked for, then the controllers. Resolves at once after that;
 * controllers wait for their informers by themselves.
 */
export async function startControllers(options: StartControllersOptions): Promise<RunningControllers> {
  const {
    transport,
    token,
    signal,
    limit,
    newElector,
    requestMetrics: metrics,
    clock = systemClock,
    random = systemRandomness.random,
  } = options;
  const flags = options.flags ?? defaultControllerFlags();
  const log = new Logger('controllers');
  const base = new Client({
    transport,
    userAgent: USER_AGENT,
    clock,
    metrics,
    ...(token === undefined ? {} : { token }),
  });
  const informers = new InformerFactory({
    client: base,
    clock,
    random,
    ends: options.informerEnds,
    // Not all at the same time.
    ...(options.resyncMs === undefined ? {} : { resyncMs: options.resyncMs * (1 + random()) }),
    onError: (error, resource) => {
      // A server that is away is away for all informers; what it refuses concerns one.
      if (error instanceof TransportError) log.info('cannot reach the server', { resource, err: error.message }, 2);
      else log.error('cannot follow', error, { resource });
    },
  });
  const clientFor = (descriptor: ControllerDescriptor): Client => {
    const { name, serviceAccount, simulates, limitFactor = { qps: 1, burst: 1 } } = descriptor;
    if (simulates === true && options.simulationTransport !== undefined)
      return new Client({ transport: options.simulationTransport, userAgent: name, clock });
    const limiter =
      limit === undefined
        ? {}
        : { limiter: new TokenBucket(limit.qps * limitFactor.qps, limit.burst * limitFactor.burst, clock) };
    const identity =
      options.anonymousTransport === undefined || serviceAccount === undefined
        ? { transport, ...(token === undefined ? {} : { token }) }
        : {
            transport: options.anonymousTransport,
            token: serviceAccountToken({ client: base, clock, namespace: NAMESPACE, name: serviceAccount }),
          };
    const userAgent =
      serviceAccount === undefined ? USER_AGENT : `${USER_AGENT}/system:serviceaccount:${NAMESPACE}:${serviceAccount}`;
    return new Client({ ...identity, ...limiter, userAgent, clock, metrics });
  };
  const served = new ServedResources({ discovery: new Discovery(base), clock, log });
  const contextFor = (descriptor: ControllerDescriptor): ControllerContext => {
    const client = clientFor(descriptor);
    const controllerLog = new Logger(descriptor.name);
    return {
      client,
      informers,
      discovery: new Discovery(client),
      served,
      random,
      clock,
      log: controllerLog,
      queueMetrics: options.queueMetrics,
      flags,
      newElector: newElector === undefined ? undefined : (lease) => newElector(lease, client),
      signal,
      recorder: (component) =>
        new EventRecorder({
          client,
          clock,
          random,
          component,
          signal,
          onError: (error) => controllerLog.error('cannot write an event', error),
        }),
    };
  };
  const made: { readonly name: string; readonly controller: Controller }[] = [];
  for (const descriptor of options.controllers) {
    const controller = await descriptor.make(contextFor(descriptor));
    if (controller !== undefined) made.push({ name: descriptor.name, controller });
  }
  informers.start(signal);
  const done = Promise.all(
    made.map(({ name, controller }) => keepRunning(controller, { name, clock, random, signal, log })),
  );
  return { names: made.map(({ name }) => name), informers, done: done.then(() => undefined) };
}

/** A controller that breaks is begun again after a while; the others go on. */
async function keepRunning(
  controller: Controller,
  {
    name,
    clock,
    random,
    signal,
    log,
  }: {
    readonly name: string;
    readonly clock: TimerClock;
    readonly random: () => number;
    readonly signal: AbortSignal;
    readonly log: Logger;
  },
): Promise<void> {
  const backoff = new Backoff({ firstMs: 1000, longestMs: 60_000, jitter: { part: 1, random } });
  while (!signal.aborted) {
    try {
      await controller.run(signal);
      if (!signal.aborted) log.warning('a controller has ended', { controller: name });
      return;
    } catch (error) {
      if (signal.aborted) return;
      log.error('a controller failed and is begun again', error, { controller: name });
      await sleep(clock, backoff.next(), signal);
    }
  }
}
