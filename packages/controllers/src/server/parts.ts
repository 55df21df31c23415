import type { TimerClock } from '@kubechain/apimachinery';
import type { Assembly } from '@kubechain/apiserver/assembly';
import { OptionsError, unusableFlag, type ParsedFlags } from '@kubechain/apiserver/options';
import { Client } from '../client/client.ts';
import { Http2Transport } from '../client/http2-transport.ts';
import { KubeconfigError, loadKubeconfig, type ClientConfig } from '../client/kubeconfig.ts';
import { RequestMetrics } from '../client/request-metrics.ts';
import type { ControllerDescriptor } from '../controller/controller.ts';
import type { flagSets } from '../flags.ts';
import { InformerEnds } from '../informers/informer-ends.ts';
import type { StartControllersOptions } from '../registry/controller-contexts.ts';
import { WorkQueueMetrics } from '@kubechain/shared-storage/metrics';
import type { HealthServer, serveHealth as ServeHealth } from './health-server.ts';

type Values = ParsedFlags<typeof flagSets>['values'];

/** What a process of controllers has before its controllers run. */
export interface Parts {
  readonly client: Client;
  readonly counts: Required<Pick<StartControllersOptions, 'informerEnds' | 'queueMetrics' | 'requestMetrics'>>;
  readonly health: HealthServer | undefined;
  /** The ways to the server, by who goes them. */
  readonly ways: Pick<StartControllersOptions, 'anonymousTransport' | 'simulationTransport' | 'token' | 'transport'>;
}

/**
 * Connections, and the listener for health and metrics; nothing is sent yet.
 * @throws OptionsError
 */
export async function openParts(
  assembly: Assembly,
  values: Values,
  { clock, controllers }: { readonly clock: TimerClock; readonly controllers: readonly ControllerDescriptor[] },
): Promise<Parts> {
  const config = await configOf('kubeconfig', values.client.kubeconfig);
  const { token, clientCertificate: _, ...server } = config;
  const connect = (name: string, to: ClientConfig): Http2Transport =>
    assembly.open(
      name,
      () => new Http2Transport(to),
      (transport) => transport.close(),
    );
  const ways = {
    transport: connect('connection', config),
    ...(token === undefined ? {} : { token }),
    ...(values.client['use-service-account-credentials']
      ? { anonymousTransport: connect('connection of service accounts', server) }
      : {}),
    // Nodes and schedulers may do what no controller may: they need an identity of their own.
    ...(needsIdentity(values, controllers)
      ? {
          simulationTransport: connect(
            'connection of simulated nodes',
            await configOf('simulation-kubeconfig', values.simulation['simulation-kubeconfig']),
          ),
        }
      : {}),
  };
  // Timers do not keep a process alive, and before the server is there nothing else would.
  assembly.open('life of the process', () => setInterval(() => undefined, 1 << 30), clearInterval);
  const counts = {
    informerEnds: new InformerEnds(),
    queueMetrics: new WorkQueueMetrics(clock),
    requestMetrics: new RequestMetrics(new URL(config.server).host),
  };
  const client = new Client({
    transport: ways.transport,
    userAgent: 'kube-controller-manager/v1.36.2/leader-election',
    clock,
    metrics: counts.requestMetrics,
    ...(token === undefined ? {} : { token }),
  });
  const health =
    values.health['secure-port'] === 0 ? undefined : await openHealth(assembly, values.health, { client, ...counts });
  return { client, counts, health, ways };
}

async function openHealth(assembly: Assembly, ...listening: Parameters<typeof ServeHealth>): Promise<HealthServer> {
  const { serveHealth } = await import('./health-server.ts');
  return assembly.open(
    'health',
    () => serveHealth(...listening),
    (server) => server.close(),
  );
}

/** Whether anything runs that does not act as kube-controller-manager. */
function needsIdentity({ simulation }: Values, controllers: readonly ControllerDescriptor[]): boolean {
  if (simulation.nodes > 0) return true;
  return simulation['simulation-kubeconfig'] !== '' && controllers.some(({ simulates }) => simulates === true);
}

/** What a flag's kubeconfig says. @throws OptionsError */
async function configOf(flag: string, path: string): Promise<ClientConfig> {
  if (path === '') throw new OptionsError('MissingValue', `--${flag}: must be given`);
  try {
    return await loadKubeconfig(path);
  } catch (cause) {
    if (!(cause instanceof KubeconfigError)) throw cause;
    throw unusableFlag(flag, cause.message, cause);
  }
}
