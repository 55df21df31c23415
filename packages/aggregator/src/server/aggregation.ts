import type { EgressSelector } from '@kubechain/apiserver/egress';
import {
  ServiceDirectory,
  TurnQueue,
  clusterResolver,
  endpointResolver,
  loopbackAddress,
  loopbackResolver,
} from '@kubechain/apiserver/proxies';
import type {
  AssemblyInput,
  DelegationTarget,
  GenericAPIServer,
  ServerParts,
  StoredResources,
} from '@kubechain/apiserver/servers';
import { WorkQueueMetrics } from '@kubechain/shared-storage/metrics';
import { Registration } from '../registration/registration.ts';
import { AutoRegistration } from '../autoregister/auto-registration.ts';
import { CRDVersions } from '../autoregister/crd-versions.ts';
import { AvailabilityController } from '../availability/availability-controller.ts';
import { AvailabilityMetrics } from '../availability/availability-metrics.ts';
import { DiscoveryMetrics } from '../discovery/discovery-metrics.ts';
import { DiscoveryRoutes, type DiscoveryRoutesOptions } from '../discovery/discovery-routes.ts';
import { RemoteDiscovery } from '../discovery/remote-discovery.ts';
import { RemoteOpenAPI } from '../openapi/remote-open-api.ts';
import type { RemoteEnvironment, RemoteService } from '../remote/remote-service.ts';
import { apiRegistrationGroup } from '../apiservice/api-service.ts';
import { cannotFollow, type APIServices } from './api-services.ts';
import type { AggregatorValues } from './aggregator-values.ts';
import { handsOn, openPeers } from './open-peers.ts';
import type { Peers } from '../peers/peers.ts';

type Input = AssemblyInput<AggregatorValues>;

/** What aggregation is put together from. */
export interface AggregationParts {
  readonly parts: ServerParts;
  readonly stored: StoredResources;
  /** Extension API servers by path prefix: filled here, read by whoever routes. */
  readonly routes: Map<string, RemoteService>;
  readonly delegate: DelegationTarget;
  readonly server: GenericAPIServer;
  readonly apiServices: APIServices;
}

/** What makes one API of all APIServices. */
export interface Aggregation {
  readonly registration: Registration;
  readonly availability: AvailabilityController;
  readonly crds: CRDVersions;
  readonly autoRegistration: AutoRegistration;
  /** Undefined: requests are handed to nobody. */
  readonly peers: Peers | undefined;
}

interface Connections {
  readonly directory: ServiceDirectory;
  readonly availability: AvailabilityController;
}

interface Registered {
  readonly registration: Registration;
  readonly discovery: DiscoveryRoutes;
}

/** Opens what follows APIServices, and starts to follow them. */
export function openAggregation(input: Input, options: AggregationParts): Aggregation {
  const { assembly } = input;
  const { apiServices, parts, server } = options;
  const queueMetrics = new WorkQueueMetrics(input.environment.clock, parts.metrics);
  const connections = openConnections(input, options, queueMetrics);
  const { discovery, registration } = openRegistration(input, options, {
    ...connections,
    withPeers: handsOn(input.values) ? (own) => peers?.merged(own) ?? own : undefined,
  });
  apiServices.informer.onChange(registration.changed);
  const metrics = new AvailabilityMetrics(() => apiServices.informer.values());
  apiServices.informer.onChange(metrics.changed);
  metrics.register(parts.metrics);
  openRemoteDocuments(input, options);
  apiServices.informer.start();
  const crds = assembly.open(
    'versions of CRDs',
    () => new CRDVersions(parts.storage.directOptions, cannotFollow),
    (opened) => opened.stop(),
  );
  const autoRegistration = new AutoRegistration({
    store: apiServices.store,
    services: apiServices.informer,
    delegated: server.delegatedDiscovery,
    delegatedWhole: server.delegatedWhole,
    crds,
    clock: input.environment.clock,
    queueMetrics,
  });
  const peers: Peers | undefined = openPeers(input, {
    ...options,
    crds,
    onChange: () => {
      discovery.peersChanged();
    },
  });
  crds.start();
  return { registration, availability: connections.availability, crds, autoRegistration, peers };
}

/** Where extension API servers are, and whether they answer. */
function openConnections(
  { assembly, environment }: Input,
  { apiServices, server, stored }: AggregationParts,
  queueMetrics: WorkQueueMetrics,
): Connections {
  const directory = assembly.open(
    'services',
    () =>
      new ServiceDirectory(stored, {
        onChange: (service) => {
          availability.serviceChanged(service);
        },
        onError: cannotFollow,
      }),
    (opened) => {
      opened.stop();
    },
  );
  const availability: AvailabilityController = assembly.open(
    'availability',
    () =>
      new AvailabilityController({
        status: apiServices.status,
        fields: apiServices.fields,
        services: directory,
        clock: environment.clock,
        ready: () => server.hooks.done || server.hasBeenReady,
        queueMetrics,
      }),
    (opened) => {
      opened.stop();
    },
  );
  return { directory, availability };
}

/** Routes, and the discovery of all groups. */
function openRegistration(
  { assembly, environment: { clock, peerFaults, randomness }, values }: Input,
  { apiServices, delegate, parts, routes, server }: AggregationParts,
  { availability, directory, withPeers }: Connections & Pick<DiscoveryRoutesOptions, 'withPeers'>,
): Registered {
  const mux = server.nonResourceMux;
  const remoteDiscovery = assembly.open(
    'discovery of extension servers',
    () =>
      new RemoteDiscovery({
        clock,
        release: parts.release,
        onChange: () => {
          discovery.aggregatedChanged();
        },
      }),
    (opened) => {
      opened.stop();
    },
  );
  const discovery: DiscoveryRoutes = assembly.open(
    'merged discovery',
    () =>
      new DiscoveryRoutes({
        mux,
        own: server.discovery,
        ownGroup: apiRegistrationGroup,
        delegated: server.delegatedDiscovery,
        remote: remoteDiscovery,
        services: apiServices.informer,
        delegate,
        metrics: new DiscoveryMetrics(parts.metrics),
        withPeers,
      }),
    (opened) => {
      opened.stop();
    },
  );
  const environment: RemoteEnvironment = {
    ...remoteEnvironment(values, {
      directory,
      egress: parts.egress,
      random: randomness.random,
    }),
    faults: peerFaults,
    release: parts.release,
    turns: new TurnQueue({ clock, sums: true }),
  };
  const registration = assembly.open(
    'extension servers',
    () => new Registration({ routes, availability, remoteDiscovery, discovery, delegate, mux, environment }),
    (opened) => {
      opened.close();
    },
  );
  return { registration, discovery };
}

function remoteEnvironment(
  values: AggregatorValues,
  {
    directory,
    egress,
    random,
  }: {
    readonly directory: ServiceDirectory;
    readonly egress: EgressSelector | undefined;
    readonly random: () => number;
  },
): RemoteEnvironment {
  const certFile = values.delegate['proxy-client-cert-file'];
  const keyFile = values.delegate['proxy-client-key-file'];
  return {
    resolve: loopbackResolver(
      values.aggregator['enable-aggregator-routing'] ? endpointResolver(directory, random) : clusterResolver(directory),
      loopbackAddress(values.serving['bind-address'], values.serving['secure-port']),
    ),
    dial: egress?.dial('cluster'),
    clientCertificate: certFile === '' || keyFile === '' ? undefined : { certFile, keyFile },
  };
}

/** OpenAPI documents of extension servers among those of the chain. */
function openRemoteDocuments(
  { assembly, environment }: Input,
  { apiServices, routes, server }: AggregationParts,
): void {
  const remoteOpenAPI = assembly.open(
    'OpenAPI of extension servers',
    () => new RemoteOpenAPI(routes, environment.clock),
    (opened) => {
      opened.stop();
    },
  );
  server.openAPI.addSource(remoteOpenAPI);
  server.openAPI.indexContentType = 'text/plain; charset=utf-8';
  apiServices.informer.onChange(remoteOpenAPI.sync);
}
