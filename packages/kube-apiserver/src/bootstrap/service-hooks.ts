import { hostname } from 'node:os';
import { WorkQueueMetrics } from '@kubechain/shared-storage/metrics';
import { Logger } from '@kubechain/apiserver/logging';
import { EndpointLeases, createStatusStorage } from '@kubechain/apiserver/resources';
import type { GenericAPIServer } from '@kubechain/apiserver/servers';
import { messageOf } from '@kubechain/apimachinery';
import { serviceCIDRStatusStrategy } from '../registry/networking/servicecidr/strategy.ts';
import { IPAddressRepair } from '../registry/core/service/repair/ip-address-repair.ts';
import { NodePortRepair } from '../registry/core/service/repair/repair-node-ports.ts';
import { NodePortRepairMetrics } from '../registry/core/service/repair/node-port-repair-metrics.ts';
import { RepairEvents } from '../registry/core/service/repair/repair-events.ts';
import { advertisedAddress } from './advertised-address.ts';
import { DefaultServiceCIDR } from './default-service-cidr.ts';
import type { BootstrapOptions } from './bootstrap-options.ts';
import { KubernetesService } from './kubernetes-service.ts';
import { leaveInTime } from './leave-in-time.ts';
import { repeat } from './repeat.ts';

const log = new Logger('services');
/** How often the default ServiceCIDR, service `kubernetes` and its endpoints are looked at. */
const syncIntervalMs = 10_000;
/** A server that has not been heard of for so long is no endpoint any more. */
const endpointTTLSeconds = 15;
/** How often node ports are looked at. */
const repairIntervalMs = 180_000;

type ServiceHooksOptions = Pick<BootstrapOptions, 'direct' | 'flags' | 'network' | 'registry'>;

/**
 * Post-start hooks of what services need: the default ServiceCIDR, the repair loops, service `kubernetes` with its
 * endpoints.
 */
export function addServiceHooks(server: GenericAPIServer, options: ServiceHooksOptions): void {
  addServiceCIDRHook(server, options);
  addRepairHook(server, options);
  addKubernetesServiceHooks(server, options);
}

/** Tells of failures that are tried again. */
function onError(what: string): (error: unknown) => void {
  return (error) => {
    log.warning(what, { error: messageOf(error) });
  };
}

function report(message: string): void {
  log.warning(message);
}

function addServiceCIDRHook(server: GenericAPIServer, { network, registry: { storeOf } }: ServiceHooksOptions): void {
  const { clock } = server.config;
  server.addPostStartHook('start-kubernetes-service-cidr-controller', ({ signal }) => {
    const store = storeOf('networking.k8s.io', 'servicecidrs');
    const defaultCIDR = new DefaultServiceCIDR({
      store,
      status: createStatusStorage(store, serviceCIDRStatusStrategy),
      clock,
      cidrs: network.ranges.map(({ text }) => text),
      onMismatch: (stored) => {
        report(`ServiceCIDR kubernetes has ${stored.join(', ')}, which is not what --service-cluster-ip-range says`);
      },
    });
    return repeat(() => defaultCIDR.sync(), {
      clock,
      intervalMs: syncIntervalMs,
      signal,
      onError: onError('default ServiceCIDR'),
    });
  });
}

function addRepairHook(server: GenericAPIServer, { network, registry: { storeOf } }: ServiceHooksOptions): void {
  const { clock } = server.config;
  server.addPostStartHook('start-service-ip-repair-controllers', async ({ signal }) => {
    const services = storeOf('', 'services');
    const portMetrics = new NodePortRepairMetrics(server.config.metrics);
    const nodePorts = new NodePortRepair({
      services,
      stored: network.portStorage,
      range: network.nodePorts.range,
      report,
      metrics: portMetrics,
    });
    const events = new RepairEvents({
      events: storeOf('', 'events'),
      clock,
      random: server.config.randomness.random,
      controller: 'ipallocator-repair-controller',
      host: hostname(),
      signal,
      onError: onError('events of the cluster IP repair'),
      onFull: () => {
        report('events of the cluster IP repair are dropped: too many wait to be written');
      },
    });
    const addresses = new IPAddressRepair({
      services,
      addresses: storeOf('networking.k8s.io', 'ipaddresses'),
      allocator: network.clusterIPs,
      clock,
      queueMetrics: new WorkQueueMetrics(clock, server.config.metrics),
      tell: (event) => {
        report(event.note);
        events.tell(event);
      },
      onError: onError('cluster IP repair'),
    });
    await Promise.all([
      repeat(() => nodePorts.run(), {
        clock,
        intervalMs: repairIntervalMs,
        signal,
        onError: (error) => {
          portMetrics.failed();
          onError('node port repair')(error);
        },
      }),
      addresses.start(signal),
    ]);
  });
}

function addKubernetesServiceHooks(
  server: GenericAPIServer,
  { direct, flags, network, registry: { storeOf } }: ServiceHooksOptions,
): void {
  const { clock } = server.config;
  // In a run that is to be repeated nothing is written that depends on how long it takes.
  const lasting = server.config.randomness.repeatable !== undefined;
  const leases = new EndpointLeases(direct, { list: 'masterleases', ttlSeconds: lasting ? 0 : endpointTTLSeconds });
  let kubernetes: KubernetesService | undefined;
  server.addPostStartHook('bootstrap-controller', ({ signal }) => {
    kubernetes = new KubernetesService({
      target: {
        clusterIP: network.ranges[0].first,
        nodePort: flags.kubeApiserver['kubernetes-service-node-port'],
        ...advertisedAddress(flags),
      },
      storeOf,
      leases: flags.kubeApiserver['endpoint-reconciler-type'] === 'none' ? undefined : leases,
      clock,
    });
    const service = kubernetes;
    return repeat(() => service.sync(), {
      clock,
      intervalMs: syncIntervalMs,
      signal,
      onError: onError('service kubernetes'),
    });
  });
  server.addPreShutdownHook('stop-kubernetes-service-controller', async () => {
    await leaveInTime(clock, kubernetes?.remove().catch(onError('endpoints of service kubernetes')));
    await leases.close();
  });
}
