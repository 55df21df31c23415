import { apiServicesResource } from '../apiservice/api-service.ts';
import {
  emptyDelegate,
  genericPlugins,
  offeredPlugins,
  openGenericServer,
  openServerParts,
  openStoredResources,
  StorageVersionBarrier,
  tellsStorageVersions,
} from '@kubechain/apiserver/servers';
import type { AssembledServer, AssemblyInput, Config, ServerEnvironment } from '@kubechain/apiserver/servers';
import type { RemoteService } from '../remote/remote-service.ts';
import { RemoteTerminations } from '../remote/remote-terminations.ts';
import { aggregatingDelegate } from '../routing/aggregating-delegate.ts';
import { openAggregation } from './aggregation.ts';
import { openControl } from './control.ts';
import { openAPIServices } from './api-services.ts';
import type { AggregatorValues } from './aggregator-values.ts';
import { addHooks } from './hooks.ts';
import { addStorageVersionHook } from './storage-version-hook.ts';
import { handsOn } from './open-peers.ts';
import type { Peers } from '../peers/peers.ts';

/** The plugins that APIServices go through. */
const plugins = offeredPlugins(genericPlugins);

/**
 * Puts an aggregator together: APIServices, merged discovery, extension API servers, and the way to everything else.
 * @throws OptionsError
 */
export async function assembleAggregator(input: AssemblyInput<AggregatorValues>): Promise<AssembledServer> {
  const { assembly, values } = input;
  const parts = await openServerParts(input, { server: 'aggregator', delegate: 'kube-apiserver' });
  const stored = openStoredResources(input, parts.storage, parts.release);
  const routes = new Map<string, RemoteService>();
  const delegate = assembly.open(
    'upgrades to extension servers',
    () =>
      aggregatingDelegate(parts.delegate ?? emptyDelegate(), routes, {
        terminations: new RemoteTerminations(parts.metrics),
        rejectRedirects: values.aggregator['aggregator-reject-forwarding-redirect'],
        ...(handsOn(values) ? { peers: () => peers?.proxy } : {}),
      }),
    (aggregating) => aggregating.close(),
  );
  const storageVersions = tellsStorageVersions(input) ? new StorageVersionBarrier([apiServicesResource]) : undefined;
  const generic = openGenericServer(input, {
    name: 'aggregator',
    parts,
    storages: stored,
    plugins,
    pluginEnvironment: (admission) => admission,
    delegate,
    config: {
      storageVersions,
      serveDiscoveryRoots: false,
      ...(input.environment.sideSocket === undefined ? insecureServing(values.aggregator) : {}),
      ...(await openControl(input, parts.storage)),
      ...tenancy(input.environment),
    },
  });
  const apiServices = openAPIServices(assembly, generic.server, {
    restOptions: parts.storage.restOptions,
    records: input.environment.asTenant?.records,
  });
  const aggregation = openAggregation(input, { parts, stored, routes, delegate, server: generic.server, apiServices });
  const { peers }: { readonly peers: Peers | undefined } = aggregation;
  addHooks(input, { generic, apiServices, aggregation, release: parts.release });
  if (storageVersions !== undefined) addStorageVersionHook(generic.server, { stored, barrier: storageVersions });
  return { server: generic.server, url: parts.url };
}

function tenancy({ asTenant, tenants }: ServerEnvironment): Pick<Config, 'pathPrefix' | 'tenants'> {
  return {
    ...(asTenant === undefined ? {} : { pathPrefix: asTenant.pathPrefix }),
    ...(tenants === undefined ? {} : { tenants: tenants.router }),
  };
}

function insecureServing(flags: AggregatorValues['aggregator']): Pick<Config, 'insecureServing'> {
  const port = flags['insecure-port'];
  return port === 0 ? {} : { insecureServing: { host: flags['insecure-bind-address'], port } };
}
