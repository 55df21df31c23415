/**
 * The checks of kube-apiserver 1.36.2 in the order in which it reports them. There the order follows from one process
 * registering everything; here several processes report, each in its own order, and the one in front puts them in line.
 */
const order: ReadonlyMap<string, number> = new Map(
  [
    'ping',
    'log',
    'loopback-serving-certificate',
    'etcd',
    'etcd-readiness',
    'kms-providers',
    'informer-sync',
    'poststarthook/start-encryption-provider-config-automatic-reload',
    'poststarthook/start-apiserver-admission-initializer',
    'poststarthook/generic-apiserver-start-informers',
    'poststarthook/priority-and-fairness-config-consumer',
    'poststarthook/priority-and-fairness-filter',
    'poststarthook/max-in-flight-filter',
    'poststarthook/storage-object-count-tracker-hook',
    'poststarthook/start-apiextensions-informers',
    'poststarthook/start-apiextensions-controllers',
    'poststarthook/crd-informer-synced',
    'poststarthook/start-system-namespaces-controller',
    'poststarthook/peer-endpoint-reconciler-controller',
    'poststarthook/mixed-version-proxy-handler',
    'poststarthook/local-discovery-cache-sync',
    'poststarthook/peer-discovery-workers',
    'poststarthook/start-cluster-authentication-info-controller',
    'poststarthook/start-kube-apiserver-identity-lease-controller',
    'poststarthook/start-kube-apiserver-identity-lease-garbage-collector',
    'poststarthook/storage-readiness',
    'poststarthook/start-legacy-token-tracking-controller',
    'poststarthook/start-service-ip-repair-controllers',
    'poststarthook/rbac/bootstrap-roles',
    'poststarthook/scheduling/bootstrap-system-priority-classes',
    'poststarthook/priority-and-fairness-config-producer',
    'poststarthook/bootstrap-controller',
    'poststarthook/start-kubernetes-service-cidr-controller',
    'poststarthook/aggregator-reload-proxy-client-cert',
    'poststarthook/start-kube-aggregator-informers',
    'poststarthook/apiservice-status-local-available-controller',
    'poststarthook/apiservice-status-remote-available-controller',
    'poststarthook/apiservice-registration-controller',
    'poststarthook/apiservice-wait-for-first-sync',
    'poststarthook/apiservice-discovery-controller',
    'poststarthook/kube-apiserver-autoregistration',
    'autoregister-completion',
    'poststarthook/apiservice-openapi-controller',
    'poststarthook/apiservice-openapiv3-controller',
  ].map((name, i) => [name, i]),
);

/**
 * Sorts in the reference's order; checks that it does not have come after it in the order they are in, `shutdown` is
 * the last.
 */
export function inReferenceOrder<T extends { readonly name: string }>(results: readonly T[]): T[] {
  return results
    .map((result, i) => ({ result, rank: rankOf(result.name), i }))
    .sort((a, b) => a.rank - b.rank || a.i - b.i)
    .map(({ result }) => result);
}

function rankOf(name: string): number {
  // One for each other cluster, beside the one of --etcd-servers.
  if (name.startsWith('etcd-override-')) return rankOf('etcd-readiness');
  return name === 'shutdown' ? order.size + 1 : (order.get(name) ?? order.size);
}
