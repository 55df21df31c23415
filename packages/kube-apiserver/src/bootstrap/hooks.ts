import { featureGatesOf } from '@kubechain/apiserver/options';
import type { Store } from '@kubechain/apiserver/resources';
import type { GenericAPIServer } from '@kubechain/apiserver/servers';
import { ClusterAuthenticationTrust } from './cluster-authentication-trust.ts';
import { ensureObjects, type WantedObjects } from './ensure-objects.ts';
import type { BootstrapOptions } from './bootstrap-options.ts';
import { addPeerEndpointHook, peerEndpointOf } from './peer-endpoint.ts';
import { addElectionHook } from './leader-election/election-hook.ts';
import { electionTimersOf } from './leader-election/election-timers.ts';
import { addFlowControlHook } from './flow-control/flow-control-hook.ts';
import { addIdentityHooks } from './identity-hooks.ts';
import { addRBACHook } from './rbac-hook.ts';
import { addServiceHooks } from './service-hooks.ts';
import { systemPriorityClasses } from './priority-classes.ts';
import { addStorageVersionHook } from './storage-version-hook.ts';
import { waitForStorage } from './storage-readiness.ts';
import { systemNamespaces } from './system-namespaces.ts';

const coordination = 'coordination.k8s.io';
const flowControl = 'flowcontrol.apiserver.k8s.io';

/** Post-start hooks under the reference's names: they create what every cluster starts with, all at the same time. */
export function addBootstrapHooks(server: GenericAPIServer, options: BootstrapOptions): void {
  if (options.begun) addHooksOfBegun(server, options);
  else addHooksOfNew(server, options);
}

/** Names that readyz knows, and what is to be waited for: nothing is missing, and nobody renews anything. */
function addHooksOfBegun(server: GenericAPIServer, { flags, security, storage }: BootstrapOptions): void {
  for (const name of begunHooks) server.addPostStartHook(name, () => undefined);
  if (server.config.release.since('1.36'))
    server.addPostStartHook('peer-endpoint-reconciler-controller', () => undefined);
  if (security.authorization.modes.includes('RBAC'))
    server.addPostStartHook('rbac/bootstrap-roles', ({ signal }) => security.authorization.waitForSync(signal));
  addStorageHook(server, { flags, storage });
}

const begunHooks = [
  'start-system-namespaces-controller',
  'scheduling/bootstrap-system-priority-classes',
  'priority-and-fairness-config-producer',
  'start-kubernetes-service-cidr-controller',
  'start-service-ip-repair-controllers',
  'bootstrap-controller',
  'start-cluster-authentication-info-controller',
  'start-legacy-token-tracking-controller',
];

/** Gate WatchCacheInitializationPostStartHook, on since 1.36. */
function addStorageHook(
  server: GenericAPIServer,
  { flags, storage }: Pick<BootstrapOptions, 'flags' | 'storage'>,
): void {
  if (!server.config.release.since('1.36')) return;
  server.addPostStartHook('storage-readiness', ({ signal }) =>
    waitForStorage(storage.healthChecks, {
      timeoutMs: flags.generic['storage-initialization-timeout'],
      clock: server.config.clock,
      signal,
    }),
  );
}

function addHooksOfNew(server: GenericAPIServer, options: BootstrapOptions): void {
  const { direct, flags, network, registry, security, storage } = options;
  const { storeOf } = registry;
  addObjectHooks(server, registry);
  addFlowControlHook(server, {
    levels: storeOf(flowControl, 'prioritylevelconfigurations'),
    schemas: storeOf(flowControl, 'flowschemas'),
    keepStatus: flags.features['enable-priority-and-fairness'],
  });
  addServiceHooks(server, { registry, network, direct, flags });
  const trust = new ClusterAuthenticationTrust({
    store: storeOf('', 'configmaps'),
    flags: flags.authentication,
    clock: server.config.clock,
  });
  server.addPostStartHook('start-cluster-authentication-info-controller', ({ signal }) => trust.start(signal));
  const gates = featureGatesOf(flags);
  if (security.authorization.modes.includes('RBAC'))
    addRBACHook(server, {
      registry,
      authorization: security.authorization,
      gates,
    });
  const peerEndpoint = peerEndpointOf(flags);
  if (gates.enabled('APIServerIdentity')) {
    addIdentityHooks(server, { leases: storeOf(coordination, 'leases'), peerEndpoint });
    if (options.storageVersions !== undefined)
      addStorageVersionHook(server, { registry, storageVersions: options.storageVersions });
  }
  // Checked whether or not there are elections.
  const electionTimers = electionTimersOf(flags.kubeApiserver);
  if (gates.enabled('CoordinatedLeaderElection'))
    addElectionHook(server, {
      leases: storeOf(coordination, 'leases'),
      candidates: registry.findStore(coordination, 'leasecandidates'),
      ...electionTimers,
    });
  if (peerEndpoint !== undefined) addPeerEndpointHook(server, { direct, endpoint: peerEndpoint });
  addStorageHook(server, { flags, storage });
}

/** Hooks that do nothing but create objects that are missing. */
function addObjectHooks(server: GenericAPIServer, { storeOf }: BootstrapOptions['registry']): void {
  const { clock } = server.config;
  // Stores are made when the hooks run.
  const ensure = (name: string, store: () => Store, wanted: Omit<WantedObjects, 'store'>): void => {
    server.addPostStartHook(name, ({ signal }) => ensureObjects({ store: store(), ...wanted }, { clock, signal }));
  };
  ensure('start-system-namespaces-controller', () => storeOf('', 'namespaces'), { objects: systemNamespaces });
  ensure('scheduling/bootstrap-system-priority-classes', () => storeOf('scheduling.k8s.io', 'priorityclasses'), {
    objects: systemPriorityClasses,
  });
  const namespace = 'kube-system';
  ensure('start-legacy-token-tracking-controller', () => storeOf('', 'configmaps'), {
    namespace,
    objects: [
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'kube-apiserver-legacy-service-account-token-tracking', namespace },
        data: { since: new Date(clock.now()).toISOString().slice(0, 10) },
      },
    ],
  });
}
