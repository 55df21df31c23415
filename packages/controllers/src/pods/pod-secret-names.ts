import type { Pod } from '@kubechain/apimachinery/types/core/v1';

/** Names of all secrets that a pod uses: to pull, as environment, in volumes (podutil.VisitPodSecretNames, 1.36). */
export function secretNamesOf({ spec }: Pod): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (name: string | null | undefined): void => {
    if (typeof name === 'string' && name !== '') found.add(name);
  };
  for (const { name } of spec?.imagePullSecrets ?? []) add(name);
  const containers = [
    ...(spec?.initContainers ?? []),
    ...(spec?.containers ?? []),
    ...(spec?.ephemeralContainers ?? []),
  ];
  for (const { env = [], envFrom = [] } of containers) {
    for (const { secretRef } of envFrom) add(secretRef?.name);
    for (const { valueFrom } of env) add(valueFrom?.secretKeyRef?.name);
  }
  for (const volume of spec?.volumes ?? []) {
    add(volume.secret?.secretName);
    add(volume.azureFile?.secretName);
    for (const { secret } of volume.projected?.sources ?? []) add(secret?.name);
    for (const source of [volume.cephfs, volume.flexVolume, volume.rbd, volume.scaleIO, volume.iscsi, volume.storageos])
      add(source?.secretRef?.name);
    add(volume.csi?.nodePublishSecretRef?.name);
  }
  return found;
}
