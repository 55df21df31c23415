import type { Container, EphemeralContainer, PodSpec, Volume } from '@kubechain/apimachinery/types/core/v1';

type Fields = Record<string, unknown>;
type AnyContainer = Container | EphemeralContainer;

/** Fields of 1.37 behind gates that are off, each with the parts of a pod that have them. */
const newer: readonly { readonly field: string; readonly owners: (spec: Partial<PodSpec>) => readonly unknown[] }[] = [
  // AtomicWriteVolumeUserFields
  { field: 'defaultUser', owners: writtenVolumes },
  { field: 'user', owners: (spec) => writtenVolumes(spec).flatMap(writtenFiles) },
  // EmptyDirVolumeMode
  { field: 'mode', owners: (spec) => volumes(spec).map(({ emptyDir }) => emptyDir) },
  // EvictionRequestAPI
  { field: 'evictionResponders', owners: (spec) => [spec] },
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

/**
 * Takes out of a pod what 1.37 has behind gates that are off, unless the old pod has it already (pkg/api/pod/util.go,
 * 1.37). Schemas of earlier releases do not know these fields.
 */
export function dropNewerFields(spec: Partial<PodSpec>, old: Partial<PodSpec> = {}): void {
  for (const { field, owners } of newer) {
    if (owners(old).some((owner) => has(owner, field))) continue;
    for (const owner of owners(spec)) if (has(owner, field)) delete owner[field];
  }
}

function has(owner: unknown, field: string): owner is Fields {
  return typeof owner === 'object' && owner !== null && (owner as Fields)[field] !== undefined;
}

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
