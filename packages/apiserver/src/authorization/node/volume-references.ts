import type { KubeObject } from '@kubechain/apimachinery';

/**
 * What a bound persistent volume ties together: its claim and the secrets that the node mounts it with, as
 * `namespace/name`.
 */
export interface VolumeReferences {
  readonly claim: string;
  readonly secrets: readonly string[];
}

interface SecretRef {
  readonly name?: string;
  readonly namespace?: string;
}
interface VolumeSpec {
  readonly claimRef?: { readonly name?: string; readonly namespace?: string };
  readonly azureFile?: { readonly secretName?: string; readonly secretNamespace?: string };
  readonly cephfs?: { readonly secretRef?: SecretRef };
  readonly cinder?: { readonly secretRef?: SecretRef };
  readonly flexVolume?: { readonly secretRef?: SecretRef };
  readonly rbd?: { readonly secretRef?: SecretRef };
  readonly scaleIO?: { readonly secretRef?: SecretRef };
  readonly iscsi?: { readonly secretRef?: SecretRef };
  readonly storageos?: { readonly secretRef?: SecretRef };
  readonly csi?: {
    readonly nodePublishSecretRef?: SecretRef;
    readonly nodeStageSecretRef?: SecretRef;
    readonly nodeExpandSecretRef?: SecretRef;
  };
}

/**
 * Undefined for volumes that are bound to no claim. Source: node authorizer Graph.AddPV, pkg/api/v1/persistentvolume
 * VisitPVSecretNames (those that the kubelet sees).
 */
export function volumeReferences(volume: KubeObject): VolumeReferences | undefined {
  const spec = (volume['spec'] ?? {}) as VolumeSpec;
  if (spec.claimRef === undefined) return undefined;
  const claimNamespace = spec.claimRef.namespace ?? '';
  const secrets: string[] = [];
  const add = (ref: SecretRef | undefined, fallbackNamespace: string): void => {
    if (ref?.name === undefined || ref.name === '') return;
    const namespace = ref.namespace ?? '';
    secrets.push(`${namespace === '' ? fallbackNamespace : namespace}/${ref.name}`);
  };
  const { azureFile } = spec;
  if (azureFile !== undefined)
    add({ name: azureFile.secretName ?? '', namespace: azureFile.secretNamespace ?? '' }, claimNamespace);
  for (const source of [spec.cephfs, spec.flexVolume, spec.rbd, spec.scaleIO, spec.iscsi])
    add(source?.secretRef, claimNamespace);
  for (const source of [spec.cinder, spec.storageos]) add(source?.secretRef, '');
  for (const ref of [spec.csi?.nodePublishSecretRef, spec.csi?.nodeStageSecretRef, spec.csi?.nodeExpandSecretRef])
    add(ref, '');
  return { claim: `${claimNamespace}/${spec.claimRef.name ?? ''}`, secrets };
}
