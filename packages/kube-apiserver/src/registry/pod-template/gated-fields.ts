import type { Container, EphemeralContainer, PodSpec, Volume } from '@kubechain/apimachinery/types/core/v1';
import type { GatedField } from '../gated-fields.ts';

type AnyContainer = Container | EphemeralContainer;

/** What features brought to pods (pkg/api/pod/util.go, 1.34 to 1.37). */
export const gatedPodFields: readonly GatedField<Partial<PodSpec>>[] = [
  { gate: 'ClusterTrustBundleProjection', field: 'clusterTrustBundle', owners: projections },
  { gate: 'PodCertificateRequest', field: 'podCertificate', owners: projections },
  // ContainerRestartRules has rules of its own.
  {
    gate: 'EnvFiles',
    field: 'fileKeyRef',
    owners: (spec) => containers(spec).flatMap(({ env = [] }) => env.map(({ valueFrom }) => valueFrom)),
  },
  { gate: 'HostnameOverride', field: 'hostnameOverride', owners: (spec) => [spec] },
  { gate: 'ImageVolume', field: 'image', owners: volumes },
  // GenericWorkload: in 1.35 as workloadRef.
  { field: 'schedulingGroup', owners: (spec) => [spec] },
  { field: 'workloadRef', owners: (spec) => [spec] },
  // AtomicWriteVolumeUserFields
  { field: 'defaultUser', owners: writtenVolumes },
  { field: 'user', owners: (spec) => writtenVolumes(spec).flatMap(writtenFiles) },
  // EmptyDirVolumeMode
  { field: 'mode', owners: (spec) => volumes(spec).map(({ emptyDir }) => emptyDir) },
  { gate: 'EvictionRequestAPI', field: 'evictionResponders', owners: (spec) => [spec] },
  // GRPCContainerProbeTLS
  {
    field: 'mode',
    owners: (spec) =>
      containers(spec)
        .flatMap(probes)
        .map((probe) => probe?.grpc),
  },
  // H2CContainerProbe
  {
    field: 'protocol',
    owners: (spec) =>
      containers(spec)
        .flatMap((container) => [...probes(container), container.lifecycle?.postStart, container.lifecycle?.preStop])
        .map((handler) => handler?.httpGet),
  },
  // VolumeBindMountOptions
  { field: 'bindMountOptions', owners: (spec) => containers(spec).flatMap(({ volumeMounts }) => volumeMounts ?? []) },
];

function containers({
  containers = [],
  ephemeralContainers,
  initContainers,
}: Partial<PodSpec>): readonly AnyContainer[] {
  return [...(initContainers ?? []), ...containers, ...(ephemeralContainers ?? [])];
}

function probes({
  livenessProbe,
  readinessProbe,
  startupProbe,
}: AnyContainer): readonly AnyContainer['livenessProbe'][] {
  return [livenessProbe, readinessProbe, startupProbe];
}

function volumes(spec: Partial<PodSpec>): readonly Volume[] {
  return spec.volumes ?? [];
}

function projections(spec: Partial<PodSpec>): readonly unknown[] {
  return volumes(spec).flatMap(({ projected }) => projected?.sources ?? []);
}

/** Volumes whose files kubelet writes. */
function writtenVolumes(spec: Partial<PodSpec>): readonly unknown[] {
  return volumes(spec).flatMap(({ configMap, downwardAPI, projected, secret }) => [
    configMap,
    downwardAPI,
    projected,
    secret,
  ]);
}

/** Files that such a volume names, and the sources of a projected one. */
function writtenFiles(volume: unknown): readonly unknown[] {
  const { items = [], sources = [] } = (volume ?? {}) as {
    readonly items?: readonly unknown[];
    readonly sources?: readonly Readonly<Record<string, unknown>>[];
  };
  const ofSources = sources.flatMap((source) => Object.values(source));
  return [...items, ...ofSources, ...ofSources.flatMap((source) => (source as { items?: unknown[] }).items ?? [])];
}
