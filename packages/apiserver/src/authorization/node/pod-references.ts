import { mirrorPodAnnotation } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';

/** What a scheduled pod makes its node need, as `namespace/name` keys. */
export interface PodReferences {
  readonly nodeName: string;
  readonly serviceAccounts: readonly string[];
  readonly secrets: readonly string[];
  readonly configMaps: readonly string[];
  readonly claims: readonly string[];
  readonly resourceClaims: readonly string[];
}

interface NameRef {
  readonly name?: string;
}
interface EnvSource {
  readonly secretRef?: NameRef;
  readonly configMapRef?: NameRef;
}
interface EnvVar {
  readonly valueFrom?: { readonly secretKeyRef?: NameRef; readonly configMapKeyRef?: NameRef };
}
interface Container {
  readonly envFrom?: readonly EnvSource[];
  readonly env?: readonly EnvVar[];
}
interface Volume {
  readonly name: string;
  readonly azureFile?: { readonly secretName?: string };
  readonly cephfs?: { readonly secretRef?: NameRef };
  readonly cinder?: { readonly secretRef?: NameRef };
  readonly flexVolume?: { readonly secretRef?: NameRef };
  readonly rbd?: { readonly secretRef?: NameRef };
  readonly scaleIO?: { readonly secretRef?: NameRef };
  readonly iscsi?: { readonly secretRef?: NameRef };
  readonly storageos?: { readonly secretRef?: NameRef };
  readonly csi?: { readonly nodePublishSecretRef?: NameRef };
  readonly secret?: { readonly secretName?: string };
  readonly configMap?: NameRef;
  readonly projected?: { readonly sources?: readonly { readonly secret?: NameRef; readonly configMap?: NameRef }[] };
  readonly persistentVolumeClaim?: { readonly claimName?: string };
  readonly ephemeral?: unknown;
}
interface PodSpec {
  readonly nodeName?: string;
  readonly serviceAccountName?: string;
  readonly imagePullSecrets?: readonly NameRef[];
  readonly containers?: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly ephemeralContainers?: readonly Container[];
  readonly volumes?: readonly Volume[];
  readonly resourceClaims?: readonly {
    readonly name: string;
    readonly resourceClaimName?: string;
    readonly resourceClaimTemplateName?: string;
  }[];
}
interface PodStatus {
  readonly resourceClaimStatuses?: readonly { readonly name: string; readonly resourceClaimName?: string }[];
  readonly extendedResourceClaimStatus?: { readonly resourceClaimName?: string };
}

/**
 * Undefined for pods that are on no node. Source: node authorizer Graph.AddPod, pkg/api/v1/pod VisitPodSecretNames and
 * VisitPodConfigmapNames.
 */
export function podReferences(pod: KubeObject): PodReferences | undefined {
  const spec = (pod['spec'] ?? {}) as PodSpec;
  const nodeName = spec.nodeName ?? '';
  if (nodeName === '') return undefined;
  const none: readonly string[] = [];
  // What a mirror pod mounts is the node's own choice: it must not open the API's secrets to it.
  if (pod.metadata?.annotations?.[mirrorPodAnnotation] !== undefined) {
    return { nodeName, serviceAccounts: none, secrets: none, configMaps: none, claims: none, resourceClaims: none };
  }
  const qualify = (names: readonly (string | undefined)[]): string[] => {
    const wanted = new Set(names.filter((name): name is string => name !== undefined && name !== ''));
    return [...wanted].map((name) => `${pod.metadata?.namespace ?? ''}/${name}`);
  };
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])];
  const volumes = spec.volumes ?? [];
  return {
    nodeName,
    serviceAccounts: qualify([spec.serviceAccountName]),
    secrets: qualify([
      ...(spec.imagePullSecrets ?? []).map(({ name }) => name),
      ...containers.flatMap(containerSecrets),
      ...volumes.flatMap(volumeSecrets),
    ]),
    configMaps: qualify([...containers.flatMap(containerConfigMaps), ...volumes.flatMap(volumeConfigMaps)]),
    claims: qualify(
      volumes.map(
        (volume) =>
          volume.persistentVolumeClaim?.claimName ??
          (volume.ephemeral === undefined ? undefined : `${pod.metadata?.name ?? ''}-${volume.name}`),
      ),
    ),
    resourceClaims: qualify(resourceClaims(spec, (pod['status'] ?? {}) as PodStatus)),
  };
}

function containerSecrets({ envFrom = [], env = [] }: Container): (string | undefined)[] {
  return [
    ...envFrom.map(({ secretRef }) => secretRef?.name),
    ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
  ];
}

function containerConfigMaps({ envFrom = [], env = [] }: Container): (string | undefined)[] {
  return [
    ...envFrom.map(({ configMapRef }) => configMapRef?.name),
    ...env.map(({ valueFrom }) => valueFrom?.configMapKeyRef?.name),
  ];
}

function volumeSecrets(volume: Volume): (string | undefined)[] {
  const references = [
    volume.cephfs,
    volume.cinder,
    volume.flexVolume,
    volume.rbd,
    volume.scaleIO,
    volume.iscsi,
    volume.storageos,
  ].map((source) => source?.secretRef?.name);
  const projected = volume.projected?.sources?.map(({ secret }) => secret?.name) ?? [];
  return [
    volume.azureFile?.secretName,
    volume.secret?.secretName,
    volume.csi?.nodePublishSecretRef?.name,
    ...references,
    ...projected,
  ];
}

function volumeConfigMaps(volume: Volume): (string | undefined)[] {
  return [volume.configMap?.name, ...(volume.projected?.sources?.map(({ configMap }) => configMap?.name) ?? [])];
}

function resourceClaims(spec: PodSpec, status: PodStatus): (string | undefined)[] {
  const named = (spec.resourceClaims ?? []).map(
    (claim) =>
      claim.resourceClaimName ??
      status.resourceClaimStatuses?.find(({ name }) => name === claim.name)?.resourceClaimName,
  );
  return [...named, status.extendedResourceClaimStatus?.resourceClaimName];
}
