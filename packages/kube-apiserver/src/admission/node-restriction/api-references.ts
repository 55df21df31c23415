import type {
  Container,
  EphemeralContainer,
  Pod,
  Volume,
  VolumeProjection,
} from '@kubechain/apimachinery/types/core/v1';
import { secretNames } from '../service-account/secret-references.ts';

/** What of the API a pod needs; or what it has that nobody knows. */
export type APIReference = { readonly resource: string } | { readonly unknown: string };

/** Sources of volumes that need nothing of the API. */
const local: readonly (keyof Volume)[] = [
  'awsElasticBlockStore',
  'azureDisk',
  'cephfs',
  'cinder',
  'downwardAPI',
  'emptyDir',
  'fc',
  'flexVolume',
  'flocker',
  'gcePersistentDisk',
  'gitRepo',
  'hostPath',
  'image',
  'iscsi',
  'nfs',
  'photonPersistentDisk',
  'portworxVolume',
  'quobyte',
  'rbd',
  'scaleIO',
  'storageos',
  'vsphereVolume',
];
/** The others, in the order in which the reference looks for them. */
const referring: readonly (readonly [source: keyof Volume, resource: string])[] = [
  ['configMap', 'configmaps (via configmap volumes)'],
  ['secret', 'secrets (via secret volumes)'],
  ['csi', 'csidrivers (via CSI volumes)'],
  ['glusterfs', 'endpoints (via glusterFS volumes)'],
  ['persistentVolumeClaim', 'persistentvolumeclaims'],
  ['ephemeral', 'persistentvolumeclaims (via ephemeral volumes)'],
  ['azureFile', 'secrets (via azureFile volumes)'],
];
const projected: readonly (readonly [source: keyof VolumeProjection, resource: string])[] = [
  ['configMap', 'configmaps (via projected volumes)'],
  ['secret', 'secrets (via projected volumes)'],
  ['serviceAccountToken', 'serviceaccounts (via projected volumes)'],
  ['clusterTrustBundle', 'clustertrustbundles'],
  ['podCertificate', 'podcertificates'],
];

/**
 * The first thing of the API that a pod refers to (HasAPIObjectReference of pkg/api/pod/util.go, 1.36); undefined:
 * none.
 */
export function apiReference({ spec }: Pod): APIReference | undefined {
  if (spec === undefined) return undefined;
  if ((spec.serviceAccountName ?? '') !== '') return { resource: 'serviceaccounts' };
  if (secretNames(spec).length > 0) return { resource: 'secrets' };
  const containers: readonly (Container | EphemeralContainer)[] = [
    ...(spec.initContainers ?? []),
    ...spec.containers,
    ...(spec.ephemeralContainers ?? []),
  ];
  if (
    containers.some(usesConfigMap) ||
    (spec.volumes ?? []).some(
      (volume) =>
        volume.configMap !== undefined ||
        (volume.projected?.sources ?? []).some(({ configMap }) => configMap !== undefined),
    )
  )
    return { resource: 'configmaps' };
  if ((spec.resourceClaims ?? []).length > 0) return { resource: 'resourceclaims' };
  for (const volume of spec.volumes ?? []) {
    const reference = volumeReference(volume);
    if (reference !== undefined) return reference;
  }
  return undefined;
}

function usesConfigMap({ env, envFrom }: Container | EphemeralContainer): boolean {
  return (
    (envFrom ?? []).some(({ configMapRef }) => configMapRef !== undefined) ||
    (env ?? []).some(({ valueFrom }) => valueFrom?.configMapKeyRef !== undefined)
  );
}

function volumeReference(volume: Volume): APIReference | undefined {
  if (local.some((source) => volume[source] !== undefined)) return undefined;
  const found = referring.find(([source]) => volume[source] !== undefined);
  if (found !== undefined) return { resource: found[1] };
  if (volume.projected === undefined)
    return { unknown: `unknown volume type for volume  ${JSON.stringify(volume.name)}` };
  for (const source of volume.projected.sources ?? []) {
    const part = projected.find(([name]) => source[name] !== undefined);
    if (part !== undefined) return { resource: part[1] };
    if (source.downwardAPI === undefined)
      return { unknown: `unknown source for projected volume ${JSON.stringify(volume.name)}` };
  }
  return undefined;
}
