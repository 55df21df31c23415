import { builtinScheme } from '@kubechain/apimachinery';
import { Logger, ObjectInformer, StoredResources, builtinResourceSpec, completeConfig, createResource, createStatusStorage, openSecurity, openServerParts } from '@kubechain/apiserver';
import type { ParsedFlags, ProcessHandle } from '@kubechain/apiserver/options';
import type { APIService } from '../apiservice/api-service.ts';
import { apiServiceStatusStrategy, apiServiceStrategy } from '../apiservice/strategy.ts';
import { AutoRegistration } from '../autoregister/auto-registration.ts';
import { mergeDiscovery } from '../discovery/merged-discovery.ts';
import type { flagSets } from '../flags.ts';

const clock = { now: () => Date.now() };
const group = 'apiregistration.k8s.io';
const log = new Logger('aggregator');

/** One aggregator process from flags to its graceful end: APIServices, merged discovery, and the way to everything else. */
export async function run({ values }: ParsedFlags<typeof flagSets>, handle: ProcessHandle): Promise<void> {
  const { storage, delegate, config, url } = await openServerParts(values, { signal: handle.signal, delegateName: 'kube-apiserver' });
  const stored = new StoredResources(storage.directOptions);
  const security = openSecurity({ authentication: values.authentication, authorization: values.authorization, clock, storages: stored });
  const server = completeConfig({
    ...config, clock, discoveryByPriority: true,
    authenticator: security.authentication.request,
    authorizer: security.authorization.authorizer,
  }).newServer('aggregator', delegate);

  const store = createResource(builtinResourceSpec({ group, plural: 'apiservices', strategy: apiServiceStrategy }), storage.restOptions);
  server.installAPIGroups([{
    group, prioritizedVersions: ['v1'], scheme: builtinScheme(), discoveryPriority: 20_000,
    versionedResources: new Map([['v1', new Map([['apiservices', store], ['apiservices/status', createStatusStorage(store, apiServiceStatusStrategy)]])]]),
  }]);
  const services = new ObjectInformer<APIService>({
    storage: store.storage, keyRoot: store.keyRoot, transform: (record) => record.object() as APIService,
    onError: (error) => { log.warning('cannot follow APIServices', { error: error instanceof Error ? error.message : String(error) }); },
  });
  const stopMerging = mergeDiscovery({ merged: server.discovery, delegated: server.delegatedDiscovery, services });
  services.start();
  const registration = new AutoRegistration({ store, services, delegated: server.delegatedDiscovery });

  server.addHealthChecks([storage.healthCheck], { basic: true });
  server.addReadyzChecks([storage.readinessCheck], { basic: true });
  server.addPostStartHook('start-kube-aggregator-informers', async ({ signal }) => { await Promise.all([services.waitForSync(signal), security.authorization.waitForSync(signal)]); });
  server.addPostStartHook('kube-apiserver-autoregistration', async ({ signal }) => {
    await services.waitForSync(signal);
    await registration.start(signal);
  });
  try {
    await server.prepareRun().run(handle.signal, { onStarted: () => { handle.ready({ url }); } });
  } finally {
    stopMerging();
    services.stop();
    security.stop();
    await store.close();
    await stored.close();
    await storage.close();
  }
}
