import { hostname } from 'node:os';
import { Logger } from '@kubechain/apiserver/logging';
import { featureGatesOf } from '@kubechain/apiserver/options';
import { joinHostPort } from '@kubechain/apiserver/proxies';
import { bootstrapPolicy, ensureBootstrapPolicy, withGatedRoles } from '@kubechain/apiserver/resources';
import type { GenericAPIServer } from '@kubechain/apiserver/servers';
import type { KubeObject, ObjectMeta } from '@kubechain/apimachinery';
import { messageOf } from '@kubechain/apimachinery';
import { ClusterAuthenticationTrust } from './cluster-authentication-trust.ts';
import { ensureObjects } from './ensure-objects.ts';
import type { BootstrapOptions } from './bootstrap-options.ts';
import { addPeerEndpointHook, peerEndpointOf } from './peer-endpoint.ts';
import { addElectionHook } from './leader-election/election-hook.ts';
import { electionTimersOf } from './leader-election/election-timers.ts';
import { addFlowControlHook } from './flow-control/flow-control-hook.ts';
import { ServerLeaseKeeper } from './server-lease-keeper.ts';
import { addServiceHooks } from './service-hooks.ts';
import { systemPriorityClasses } from './priority-classes.ts';
import { addStorageVersionHook } from './storage-version-hook.ts';
import { waitForStorage } from './storage-readiness.ts';
import { systemNamespaces } from './system-namespaces.ts';

type NamedObject = KubeObject & { metadata: ObjectMeta };

const log = new Logger('bootstrap');
const rbac = 'rbac.authorization.k8s.io';
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

function addHooksOfNew(
  server: GenericAPIServer,
  { direct, flags, network, registry, security, storage, storageVersions }: BootstrapOptions,
): void {
  const { storeOf } = registry;
  const ensure = (
    name: string,
    group: string,
    plural: string,
    wanted: { readonly namespace?: string; readonly objects: readonly NamedObject[] },
  ): void => {
    server.addPostStartHook(name, ({ signal }) =>
      ensureObjects({ store: storeOf(group, plural), ...wanted }, { clock: server.config.clock, signal }),
    );
  };
  ensure('start-system-namespaces-controller', '', 'namespaces', { objects: systemNamespaces });
  ensure('scheduling/bootstrap-system-priority-classes', 'scheduling.k8s.io', 'priorityclasses', {
    objects: systemPriorityClasses,
  });
  addFlowControlHook(server, {
    levels: storeOf(flowControl, 'prioritylevelconfigurations'),
    schemas: storeOf(flowControl, 'flowschemas'),
    keepStatus: flags.features['enable-priority-and-fairness'],
  });
  addServiceHooks(server, { registry, network, direct, flags });
  const inKubeSystem = (
    name: string,
    data: Record<string, string>,
  ): { readonly namespace: string; readonly objects: readonly NamedObject[] } => ({
    namespace: 'kube-system',
    objects: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'kube-system' }, data }],
  });
  const trust = new ClusterAuthenticationTrust({
    store: storeOf('', 'configmaps'),
    flags: flags.authentication,
    clock: server.config.clock,
  });
  server.addPostStartHook('start-cluster-authentication-info-controller', ({ signal }) => trust.start(signal));
  ensure(
    'start-legacy-token-tracking-controller',
    '',
    'configmaps',
    inKubeSystem('kube-apiserver-legacy-service-account-token-tracking', {
      since: new Date(server.config.clock.now()).toISOString().slice(0, 10),
    }),
  );

  if (security.authorization.modes.includes('RBAC')) {
    server.addPostStartHook('rbac/bootstrap-roles', async ({ signal }) => {
      await ensureBootstrapPolicy(
        {
          clusterRoles: storeOf(rbac, 'clusterroles'),
          clusterRoleBindings: storeOf(rbac, 'clusterrolebindings'),
          roles: storeOf(rbac, 'roles'),
          roleBindings: storeOf(rbac, 'rolebindings'),
        },
        withGatedRoles(
          bootstrapPolicy(server.config.release),
          (gate) => featureGatesOf(flags).enabled(gate),
          server.config.release,
        ),
        {
          scheme: storeOf(rbac, 'clusterroles').spec.scheme,
          signal,
          clock: server.config.clock,
          onError: (error) => {
            log.warning('default roles', { error: messageOf(error) });
          },
        },
      );
      await security.authorization.waitForSync(signal);
    });
  }

  const peerEndpoint = peerEndpointOf(flags);
  if (featureGatesOf(flags).enabled('APIServerIdentity')) {
    const lease = new ServerLeaseKeeper({
      store: storeOf('coordination.k8s.io', 'leases'),
      hostname: hostname(),
      peerAddress: peerEndpoint === undefined ? undefined : joinHostPort(peerEndpoint.ip, peerEndpoint.port),
      clock: server.config.clock,
      newUID: server.config.randomness.newUID,
    });
    // In a run that is to be repeated nothing is written that depends on how long it takes.
    const renewed = server.config.randomness.repeatable === undefined;
    server.addPostStartHook('start-kube-apiserver-identity-lease-controller', ({ signal }) =>
      renewed ? lease.start(signal) : lease.take(signal),
    );
    server.addPreShutdownHook('stop-kube-apiserver-identity-lease-controller', () => lease.stop());
    server.addPostStartHook('start-kube-apiserver-identity-lease-garbage-collector', ({ signal }) =>
      renewed ? lease.startCollecting(signal) : undefined,
    );
    if (storageVersions !== undefined) addStorageVersionHook(server, { registry, storageVersions });
  }
  const electionTimers = electionTimersOf(flags.kubeApiserver);
  if (featureGatesOf(flags).enabled('CoordinatedLeaderElection'))
    addElectionHook(server, {
      leases: storeOf('coordination.k8s.io', 'leases'),
      candidates: registry.findStore('coordination.k8s.io', 'leasecandidates'),
      ...electionTimers,
    });
  if (peerEndpoint !== undefined) addPeerEndpointHook(server, { direct, endpoint: peerEndpoint });
  addStorageHook(server, { flags, storage });
}
