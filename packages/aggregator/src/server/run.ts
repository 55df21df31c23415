import { readFileSync } from 'node:fs';
import { builtinScheme } from '@kubechain/apimachinery';
import {
  FileContent,
  Logger,
  ObjectInformer,
  ServiceDirectory,
  StoredResources,
  addStorageChecks,
  builtinResourceSpec,
  clusterResolver,
  completeConfig,
  createResource,
  createStatusStorage,
  emptyDelegate,
  endpointResolver,
  loopbackAddress,
  loopbackResolver,
  openFlowControl,
  openSecurity,
  openServerParts,
} from '@kubechain/apiserver';
import type { ParsedFlags, ProcessHandle } from '@kubechain/apiserver/options';
import type { APIService } from '../apiservice/api-service.ts';
import { defaultAPIService } from '../apiservice/defaults.ts';
import { Registration } from '../apiservice/registration.ts';
import { apiServiceStatusStrategy, apiServiceStrategy } from '../apiservice/strategy.ts';
import { apiServiceTable } from '../apiservice/table.ts';
import { AutoRegistration } from '../autoregister/auto-registration.ts';
import { CRDVersions } from '../autoregister/crd-versions.ts';
import { AvailabilityController } from '../availability/availability-controller.ts';
import { AvailabilityMetrics } from '../availability/availability-metrics.ts';
import { DiscoveryRoutes } from '../discovery/discovery-routes.ts';
import { RemoteDiscovery } from '../discovery/remote-discovery.ts';
import type { flagSets } from '../flags.ts';
import { RemoteOpenAPI } from '../openapi/remote-open-api.ts';
import type { RemoteService } from '../remote/remote-service.ts';
import { aggregatingDelegate } from '../routing/aggregating-delegate.ts';

const clock = { now: () => Date.now() };
const group = 'apiregistration.k8s.io';
/** How often the proxy client certificate is looked at; it is rotated in good time before it expires. */
const certificateLookMs = 60_000;
const log = new Logger('aggregator');

/**
 * One aggregator process from flags to its graceful end: APIServices, merged discovery, extension API servers, and the
 * way to everything else.
 */
export async function run({ values }: ParsedFlags<typeof flagSets>, handle: ProcessHandle): Promise<void> {
  const parts = await openServerParts(values, { signal: handle.signal, delegateName: 'kube-apiserver' });
  const { storage, config, url } = parts;
  const stored = new StoredResources(storage.directOptions);
  const security = openSecurity({
    authentication: values.authentication,
    authorization: values.authorization,
    clock,
    storages: stored,
  });
  const flowControl = openFlowControl({ generic: values.generic, features: values.features, storages: stored });
  const routes = new Map<string, RemoteService>();
  const delegate = aggregatingDelegate(parts.delegate ?? emptyDelegate(), routes);
  const server = completeConfig({
    ...config,
    clock,
    serveDiscoveryRoots: false,
    authenticator: security.authentication.request,
    authorizer: security.authorization.authorizer,
    flowController: flowControl.controller,
  }).newServer('aggregator', delegate);
  flowControl.install(server);

  const scheme = builtinScheme().withDefaulters([
    { gvk: { group, version: 'v1', kind: 'APIService' }, apply: defaultAPIService },
  ]);
  const store = createResource(
    builtinResourceSpec({
      group,
      plural: 'apiservices',
      scheme,
      anyFinalizers: true,
      strategy: apiServiceStrategy,
      table: apiServiceTable,
    }),
    storage.restOptions,
  );
  const status = createStatusStorage(store, apiServiceStatusStrategy);
  server.installAPIGroups([
    {
      group,
      prioritizedVersions: ['v1'],
      scheme,
      discoveryPriority: 20_000,
      versionedResources: new Map([
        [
          'v1',
          new Map([
            ['apiservices', store],
            ['apiservices/status', status],
          ]),
        ],
      ]),
    },
  ]);
  const onError = (error: unknown): void => {
    log.warning('cannot follow storage', { error: error instanceof Error ? error.message : String(error) });
  };
  const services = new ObjectInformer<APIService>({
    storage: store.storage,
    keyRoot: store.keyRoot,
    transform: (record) => record.object() as APIService,
    onError,
  });

  const directory = new ServiceDirectory(stored, {
    onChange: (service) => {
      availability.serviceChanged(service);
    },
    onError,
  });
  let started = false;
  const availability = new AvailabilityController({
    status,
    services: directory,
    clock,
    ready: () => started || server.hasBeenReady,
  });
  const remoteDiscovery = new RemoteDiscovery(() => {
    discovery.aggregatedChanged();
  });
  const discovery = new DiscoveryRoutes({
    mux: server.nonResourceMux,
    own: server.discovery,
    ownGroup: group,
    delegated: server.delegatedDiscovery,
    remote: remoteDiscovery,
    services,
    delegate,
  });
  const certFile = values.delegate['proxy-client-cert-file'];
  const keyFile = values.delegate['proxy-client-key-file'];
  const registration = new Registration({
    routes,
    availability,
    remoteDiscovery,
    discovery,
    delegate,
    mux: server.nonResourceMux,
    environment: {
      resolve: loopbackResolver(
        values.aggregator['enable-aggregator-routing']
          ? endpointResolver(directory, Math.random)
          : clusterResolver(directory),
        loopbackAddress(values.serving['bind-address'], values.serving['secure-port']),
      ),
      clientCertificate: certFile === '' || keyFile === '' ? undefined : { certFile, keyFile },
    },
  });
  services.onChange(registration.changed);
  const availabilityMetrics = new AvailabilityMetrics(() => services.values());
  services.onChange(availabilityMetrics.changed);
  availabilityMetrics.register();
  const remoteOpenAPI = new RemoteOpenAPI(routes, clock);
  server.openAPI.addSource(remoteOpenAPI);
  server.openAPI.indexContentType = 'text/plain; charset=utf-8';
  services.onChange(remoteOpenAPI.sync);
  services.start();
  const crds = new CRDVersions(storage.directOptions, onError);
  const autoRegistration = new AutoRegistration({ store, services, delegated: server.delegatedDiscovery, crds });
  crds.start();

  addStorageChecks(server, storage);
  server.addPostStartHook('aggregator-reload-proxy-client-cert', ({ signal }) => {
    if (certFile === '') return;
    const certificate = new FileContent({
      paths: [certFile],
      read: () => readFileSync(certFile),
    });
    const stop = certificate.follow(() => {
      registration.reloadClientCertificate();
    }, certificateLookMs);
    signal.addEventListener('abort', stop, { once: true });
  });
  server.addPostStartHook('start-kube-aggregator-informers', async ({ signal }) => {
    await Promise.all([services.waitForSync(signal), security.authorization.waitForSync(signal)]);
  });
  for (const name of [
    'apiservice-status-local-available-controller',
    'apiservice-status-remote-available-controller',
    'apiservice-registration-controller',
    'apiservice-wait-for-first-sync',
    'apiservice-discovery-controller',
    'apiservice-openapi-controller',
    'apiservice-openapiv3-controller',
  ]) {
    // All of them begin with the first complete state of the APIServices.
    server.addPostStartHook(name, ({ signal }) => services.waitForSync(signal));
  }
  server.addPostStartHook('kube-apiserver-autoregistration', async ({ signal }) => {
    await Promise.all([services.waitForSync(signal), crds.waitForSync(signal)]);
    await autoRegistration.start(signal);
  });
  server.addHealthChecks([autoRegistration.healthCheck]);
  try {
    await server.prepareRun().run(handle.signal, {
      onStarted: () => {
        started = true;
        handle.ready({ url });
      },
    });
  } finally {
    discovery.stop();
    remoteDiscovery.stop();
    remoteOpenAPI.stop();
    await crds.stop();
    availability.stop();
    registration.close();
    directory.stop();
    services.stop();
    security.stop();
    flowControl.stop();
    await store.close();
    await stored.close();
    await storage.close();
  }
}
