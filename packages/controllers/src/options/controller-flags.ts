import {
  durationFlag,
  flagSet,
  floatFlag,
  intFlag,
  listFlag,
  stringFlag,
  type FlagValues,
} from '@kubechain/apiserver/options';

const syncs = (what: string, count: number) => intFlag(`How many ${what} are worked on at a time.`, count, positive);

function positive(value: number): string | undefined {
  return value > 0 ? undefined : 'must be greater than 0';
}

/** `--concurrent-…-syncs` and the like. */
export const concurrencyFlags = flagSet('Concurrency', {
  'concurrent-rc-syncs': syncs('replication controllers', 5),
  'concurrent-deployment-syncs': syncs('deployments', 5),
  'concurrent-replicaset-syncs': syncs('replica sets', 5),
  'concurrent-daemonset-syncs': syncs('daemon sets', 2),
  'concurrent-statefulset-syncs': syncs('stateful sets', 5),
  'concurrent-job-syncs': syncs('jobs', 5),
  'concurrent-cron-job-syncs': syncs('cron jobs', 5),
  'concurrent-horizontal-pod-autoscaler-syncs': syncs('horizontal pod autoscalers', 5),
  'concurrent-ttl-after-finished-syncs': syncs('finished jobs', 5),
  'concurrent-endpoint-syncs': syncs("services' Endpoints", 5),
  'concurrent-service-endpoint-syncs': syncs("services' EndpointSlices", 5),
  'mirroring-concurrent-service-endpoint-syncs': syncs('Endpoints that are mirrored', 5),
  'concurrent-gc-syncs': syncs("objects of the garbage collector's", 20),
  'concurrent-namespace-syncs': syncs('namespaces', 10),
  'concurrent-resource-quota-syncs': syncs('resource quotas', 5),
  'concurrent-serviceaccount-token-syncs': syncs("service accounts' tokens", 5),
  'concurrent-ephemeralvolume-syncs': syncs('pods with ephemeral volumes', 5),
  'concurrent-validating-admission-policy-status-syncs': syncs('validating admission policies', 5),
});

/** Authorities of single signers; then there is none for all. */
const signingFileFlags = {
  'cluster-signing-kubelet-serving-cert-file': stringFlag(
    'Certificate of the authority for kubernetes.io/kubelet-serving alone.',
  ),
  'cluster-signing-kubelet-serving-key-file': stringFlag(
    'Private key of the authority for kubernetes.io/kubelet-serving alone.',
  ),
  'cluster-signing-kubelet-client-cert-file': stringFlag(
    'Certificate of the authority for kubernetes.io/kube-apiserver-client-kubelet alone.',
  ),
  'cluster-signing-kubelet-client-key-file': stringFlag(
    'Private key of the authority for kubernetes.io/kube-apiserver-client-kubelet alone.',
  ),
  'cluster-signing-kube-apiserver-client-cert-file': stringFlag(
    'Certificate of the authority for kubernetes.io/kube-apiserver-client alone.',
  ),
  'cluster-signing-kube-apiserver-client-key-file': stringFlag(
    'Private key of the authority for kubernetes.io/kube-apiserver-client alone.',
  ),
  'cluster-signing-legacy-unknown-cert-file': stringFlag(
    'Certificate of the authority for kubernetes.io/legacy-unknown alone.',
  ),
  'cluster-signing-legacy-unknown-key-file': stringFlag(
    'Private key of the authority for kubernetes.io/legacy-unknown alone.',
  ),
} as const;

/** What single controllers need. */
export const lifecycleFlags = flagSet('Controllers', {
  'namespace-sync-period': durationFlag('How often all namespaces are looked at again.', 5 * 60_000),
  'resource-quota-sync-period': durationFlag('How often usage is counted anew in full.', 5 * 60_000),
  'service-account-private-key-file': stringFlag(
    'PEM private key by which tokens in secrets are signed; without one there are no such tokens.',
  ),
  'root-ca-file': stringFlag(
    "Certificate authority that goes into every namespace's kube-root-ca.crt and into token secrets.",
  ),
  'cluster-signing-cert-file': stringFlag('Certificate of the authority that signs CertificateSigningRequests.'),
  'cluster-signing-key-file': stringFlag('Private key of the authority that signs CertificateSigningRequests.'),
  ...signingFileFlags,
  'cluster-signing-duration': durationFlag('Longest life of certificates that are signed.', 365 * 24 * 3_600_000),
  'max-endpoints-per-slice': intFlag('Most endpoints that an EndpointSlice gets.', 100, positive),
  'endpoint-updates-batch-period': durationFlag('How long changes of pods are gathered before Endpoints are written.'),
  'endpointslice-updates-batch-period': durationFlag(
    'How long changes of pods are gathered before EndpointSlices are written.',
  ),
  'mirroring-max-endpoints-per-subset': intFlag('Most endpoints of a subset that are mirrored.', 1000, positive),
  'mirroring-endpointslice-updates-batch-period': durationFlag(
    'How long changes of Endpoints are gathered before their mirrors are written.',
  ),
  'pvclaimbinder-sync-period': durationFlag('How often all volumes and claims are looked at again.', 15_000),
  'terminated-pod-gc-threshold': intFlag('How many ended pods may stay; 0 or less for any number.', 12_500),
  'legacy-service-account-token-clean-up-period': durationFlag(
    'How long a token in a secret must be unused before it is marked invalid, and then before it is deleted.',
    365 * 24 * 3_600_000,
  ),
});

/** How nodes are watched. */
export const nodeLifecycleFlags = flagSet('Node lifecycle', {
  'node-monitor-period': durationFlag('How often all nodes are looked at.', 5_000),
  'node-monitor-grace-period': durationFlag('How long a node may be silent before nothing is known of it.', 50_000),
  'node-startup-grace-period': durationFlag('The same, before its first status.', 60_000),
  'node-eviction-rate': floatFlag('Nodes a second that lose their pods when they fail, in a healthy zone.', 0.1),
  'secondary-node-eviction-rate': floatFlag('The same in an unhealthy zone; none in a small one.', 0.01),
  'large-cluster-size-threshold': intFlag('Zones with more nodes than these are large.', 50),
  'unhealthy-zone-threshold': floatFlag(
    'Part of nodes, at least three, that are not ready in an unhealthy zone.',
    0.55,
  ),
});

/** How autoscalers decide. */
export const autoscalingFlags = flagSet('Autoscaling', {
  'horizontal-pod-autoscaler-sync-period': durationFlag('How often each autoscaler is looked at.', 15_000),
  'horizontal-pod-autoscaler-downscale-stabilization': durationFlag(
    'How long a higher recommendation keeps a target from shrinking.',
    5 * 60_000,
  ),
  'horizontal-pod-autoscaler-tolerance': floatFlag('Part by which a metric may miss its target.', 0.1),
  'horizontal-pod-autoscaler-cpu-initialization-period': durationFlag(
    "How long a new pod's CPU usage may tell nothing.",
    5 * 60_000,
  ),
  'horizontal-pod-autoscaler-initial-readiness-delay': durationFlag(
    'A pod that becomes unready so soon after its start has never been ready.',
    30_000,
  ),
});

/** What plays nodes. */
export const simulationFlags = flagSet('Simulation', {
  nodes: intFlag('Nodes to play, with kubelets that run nothing, and a scheduler beside them.', 0, (count) =>
    count >= 0 && count <= 32_768 ? undefined : 'must be from 0 to 32768',
  ),
  stages: listFlag(
    'Files and folders with Stages of kwok (kwok.x-k8s.io/v1alpha1) that played pods and nodes go through ' +
      'instead of the built-in ones, and objects of other kinds besides, or names of presets: pod-fast, ' +
      'pod-general, pod-chaos, node-fast, ' +
      'node-heartbeat, node-heartbeat-with-lease.',
  ),
  'simulation-kubelet-client-ca-file': stringFlag(
    'Authority of those who may ask the kubelets of played nodes for logs and commands; without one, ' +
      'everybody on this machine may.',
  ),
  'simulation-kubeconfig': stringFlag('File with the identity that played nodes and the scheduler act with.'),
});

/** All flags that controllers read, by set. */
export const controllerFlagSets = {
  concurrency: concurrencyFlags,
  lifecycle: lifecycleFlags,
  nodeLifecycle: nodeLifecycleFlags,
  autoscaling: autoscalingFlags,
  simulation: simulationFlags,
} as const;

/** Their values. */
export type ControllerFlags = {
  readonly [K in keyof typeof controllerFlagSets]: FlagValues<(typeof controllerFlagSets)[K]>;
};

/** The values when nothing is given. */
export function defaultControllerFlags(): ControllerFlags {
  return Object.fromEntries(
    Object.entries(controllerFlagSets).map(([set, { flags }]) => [
      set,
      Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, flag.default])),
    ]),
  ) as ControllerFlags;
}
