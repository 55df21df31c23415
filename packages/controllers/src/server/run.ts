import { hostname } from 'node:os';
import { sleep, messageOf, systemRandomness, type TimerClock } from '@kubechain/apimachinery';
import { Logger } from '@kubechain/apiserver/logging';
import { OptionsError, unusableFlag, type ParsedFlags, type ProcessHandle } from '@kubechain/apiserver/options';
import { Client } from '../client/client.ts';
import { Http2Transport } from '../client/http2-transport.ts';
import { KubeconfigError, loadKubeconfig, type ClientConfig } from '../client/kubeconfig.ts';
import { RequestMetrics } from '../client/request-metrics.ts';
import { resources } from '../client/resources.ts';
import { EventRecorder } from '../events/event-recorder.ts';
import { InformerEnds } from '../informers/informer-ends.ts';
import { LeaderElector } from '../leader-election/leader-elector.ts';
import type { flagSets } from '../flags.ts';
import { allControllers } from '../registry/controllers.ts';
import { selectControllers } from '../registry/select-controllers.ts';
import { startControllers } from '../registry/start-controllers.ts';
import type { ControllerDescriptor } from '../controller/controller.ts';
import { WorkQueueMetrics } from '../work-queue/work-queue-metrics.ts';

type Values = ParsedFlags<typeof flagSets>['values'];

const log = new Logger('controllers');
const { newUID, random } = systemRandomness;
/** How often a server that is not there yet is asked again. */
const SERVER_POLL_MS = 100;

/**
 * One process of controllers from flags to its graceful end. Says that it is ready when its controllers run, or when it
 * waits for somebody else's lease.
 * @throws OptionsError one line that names the flag
 * @throws Error when the lease was lost: who holds it now must not be disturbed
 */
export async function run({ values }: ParsedFlags<typeof flagSets>, handle: ProcessHandle): Promise<void> {
  const { clock } = handle;
  const controllers = chosen(values);
  await checkStages(values);
  const config = await kubeconfigOf(values);
  const { token, clientCertificate: _, ...server } = config;
  const transport = new Http2Transport(config);
  const anonymous = values.client['use-service-account-credentials'] ? new Http2Transport(server) : undefined;
  const simulation = needsIdentity(values, controllers)
    ? new Http2Transport(await simulationConfigOf(values))
    : undefined;
  const userAgent = 'kube-controller-manager/v1.36.2/leader-election';
  const requestMetrics = new RequestMetrics(new URL(config.server).host);
  const client = new Client({
    transport,
    userAgent,
    clock,
    metrics: requestMetrics,
    ...(token === undefined ? {} : { token }),
  });
  // Timers do not keep a process alive, and before the server is there nothing else would.
  const alive = setInterval(() => undefined, 1 << 30);
  const informerEnds = new InformerEnds();
  const queueMetrics = new WorkQueueMetrics(clock);
  const health =
    values.health['secure-port'] === 0
      ? undefined
      : await (
          await import('./health-server.ts')
        ).serveHealth(values.health, {
          client,
          informerEnds,
          queueMetrics,
          requestMetrics,
        });
  let told = false;
  const ready = (): void => {
    if (!told) handle.ready({ url: health?.url });
    told = true;
  };
  const work = new AbortController();
  const stop = AbortSignal.any([handle.signal, work.signal]);
  try {
    await waitForServer({ client, clock, signal: handle.signal });
    const elector = values.leaderElection['leader-elect']
      ? newElector(values, { client, clock, signal: handle.signal })
      : undefined;
    if (elector !== undefined) {
      const waiting = elector.acquire(handle.signal);
      // Somebody else's lease may last: the process is as ready as it can be.
      const late = clock.setTimer(ready, 1000);
      const leads = await waiting;
      late.cancel();
      if (!leads) return;
    }
    const running = await startControllers({
      controllers,
      informerEnds,
      queueMetrics,
      requestMetrics,
      transport,
      clock,
      random,
      flags: values,
      signal: stop,
      limit: { qps: values.client['kube-api-qps'], burst: values.client['kube-api-burst'] },
      resyncMs: values.selection['min-resync-period'],
      ...(token === undefined ? {} : { token }),
      ...(anonymous === undefined ? {} : { anonymousTransport: anonymous }),
      ...(simulation === undefined ? {} : { simulationTransport: simulation }),
    });
    log.info('controllers are running', { names: running.names.join() }, 2);
    ready();
    const held = elector?.hold(handle.signal);
    if (held !== undefined && (await held) === 'lost') throw new Error('leaderelection lost');
    await running.done;
  } finally {
    work.abort();
    clearInterval(alive);
    health?.close();
    transport.close();
    anonymous?.close();
    simulation?.close();
  }
}

/** Whether anything runs that does not act as kube-controller-manager. */
function needsIdentity({ simulation }: Values, controllers: readonly ControllerDescriptor[]): boolean {
  if (simulation.nodes > 0) return true;
  return simulation['simulation-kubeconfig'] !== '' && controllers.some(({ simulates }) => simulates === true);
}

function chosen(values: Values): readonly ControllerDescriptor[] {
  try {
    return selectControllers(values.selection.controllers, allControllers());
  } catch (cause) {
    throw new OptionsError('InvalidValue', `--controllers: ${messageOf(cause)}`, { cause });
  }
}

/** What of a manifest cannot be played is told before anything starts. */
async function checkStages({ simulation: { stages } }: Values): Promise<void> {
  if (stages.length === 0) return;
  const [{ readStages }, { StageError }] = await Promise.all([
    import('../stages/read-stages.ts'),
    import('../stages/stage-error.ts'),
  ]);
  try {
    await readStages(stages);
  } catch (cause) {
    if (!(cause instanceof StageError)) throw cause;
    throw unusableFlag('stages', cause.message, cause);
  }
}

function kubeconfigOf(values: Values): Promise<ClientConfig> {
  return configOf('kubeconfig', values.client.kubeconfig);
}

/** Nodes and schedulers may do what no controller may: they need an identity of their own. */
function simulationConfigOf(values: Values): Promise<ClientConfig> {
  return configOf('simulation-kubeconfig', values.simulation['simulation-kubeconfig']);
}

async function configOf(flag: string, path: string): Promise<ClientConfig> {
  if (path === '') throw new OptionsError('MissingValue', `--${flag}: must be given`);
  try {
    return await loadKubeconfig(path);
  } catch (cause) {
    if (!(cause instanceof KubeconfigError)) throw cause;
    throw unusableFlag(flag, cause.message, cause);
  }
}

/** Both are started together: it may be a while before there is somebody to ask. */
async function waitForServer({
  client,
  clock,
  signal,
}: {
  readonly client: Client;
  readonly clock: TimerClock;
  readonly signal: AbortSignal;
}): Promise<void> {
  while (!signal.aborted) {
    try {
      await client.text({ method: 'GET', path: '/readyz', accept: '*/*', signal });
      return;
    } catch (error) {
      log.info('waiting for the API server', { error: messageOf(error) }, 4);
      await sleep(clock, SERVER_POLL_MS, signal);
    }
  }
}

function newElector(
  { leaderElection: flags }: Values,
  { client, clock, signal }: { readonly client: Client; readonly clock: TimerClock; readonly signal: AbortSignal },
): LeaderElector {
  const identity = `${hostname()}_${newUID()}`;
  const onError = (error: unknown): void => log.error('leader election', error);
  const recorder = new EventRecorder({ client, clock, random, signal, component: identity, onError });
  return new LeaderElector({
    client,
    clock,
    random,
    identity,
    namespace: flags['leader-elect-resource-namespace'],
    name: flags['leader-elect-resource-name'],
    leaseDurationMs: flags['leader-elect-lease-duration'],
    renewDeadlineMs: flags['leader-elect-renew-deadline'],
    retryPeriodMs: flags['leader-elect-retry-period'],
    onError,
    onEvent: (what, lease) =>
      recorder.event(lease, resources.leases, {
        type: 'Normal',
        reason: 'LeaderElection',
        message: `${identity} ${what}`,
      }),
  });
}
