import type {
  Container,
  EphemeralContainer,
  PodSpec,
  ServiceAccount,
  Volume,
} from '@kubechain/apimachinery/types/core/v1';

/** Every secret that a pod names: in volumes, in environments, to pull images (podutil.VisitPodSecretNames, 1.36). */
export function secretNames(spec: PodSpec): string[] {
  const containers: readonly (Container | EphemeralContainer)[] = [
    ...(spec.initContainers ?? []),
    ...(spec.containers ?? []),
    ...(spec.ephemeralContainers ?? []),
  ];
  return [
    ...(spec.imagePullSecrets ?? []).map((reference) => reference.name ?? ''),
    ...containers.flatMap((container) => [
      ...(container.envFrom ?? []).flatMap((source) =>
        source.secretRef === undefined ? [] : [source.secretRef.name ?? ''],
      ),
      ...(container.env ?? []).flatMap((variable) =>
        variable.valueFrom?.secretKeyRef === undefined ? [] : [variable.valueFrom.secretKeyRef.name ?? ''],
      ),
    ]),
    ...(spec.volumes ?? []).flatMap((volume) => volumeSecrets(volume)),
  ];
}

function volumeSecrets(volume: Volume): string[] {
  const references = [
    volume.cephfs?.secretRef?.name,
    volume.cinder?.secretRef?.name,
    volume.flexVolume?.secretRef?.name,
    volume.rbd?.secretRef?.name,
    volume.scaleIO?.secretRef?.name,
    volume.iscsi?.secretRef?.name,
    volume.storageos?.secretRef?.name,
    volume.csi?.nodePublishSecretRef?.name,
    volume.azureFile?.secretName,
    volume.secret?.secretName,
    ...(volume.projected?.sources ?? []).map((source) => source.secret?.name),
  ];
  return references.filter((name): name is string => name !== undefined);
}

/** Why a pod may not name the secrets that it names, for an account that enforces its list; undefined: it may. */
export function refusedSecret(spec: PodSpec, account: ServiceAccount, ephemeralOnly: boolean): string | undefined {
  const owner = account.metadata?.name ?? '';
  const mountable = new Set((account.secrets ?? []).map((secret) => secret.name ?? ''));
  if (ephemeralOnly)
    return refusedByContainers('ephemeral container', spec.ephemeralContainers ?? [], { mountable, owner });
  for (const volume of spec.volumes ?? []) {
    const name = volume.secret?.secretName ?? '';
    if (volume.secret !== undefined && !mountable.has(name))
      return (
        `volume with secret.secretName="${name}" is not allowed because service account ${owner} does not ` +
        'reference that secret'
      );
  }
  const refused =
    refusedByContainers('init container', spec.initContainers ?? [], { mountable, owner }) ??
    refusedByContainers('container', spec.containers ?? [], { mountable, owner });
  if (refused !== undefined) return refused;
  const pullable = new Set((account.imagePullSecrets ?? []).map((secret) => secret.name ?? ''));
  const i = (spec.imagePullSecrets ?? []).findIndex((secret) => !pullable.has(secret.name ?? ''));
  if (i < 0) return undefined;
  return (
    `imagePullSecrets[${i}].name="${spec.imagePullSecrets?.[i]?.name ?? ''}" is not allowed because service ` +
    `account ${owner} does not reference that imagePullSecret`
  );
}

function refusedByContainers(
  role: string,
  containers: readonly (Container | EphemeralContainer)[],
  { mountable, owner }: { readonly mountable: ReadonlySet<string>; readonly owner: string },
): string | undefined {
  for (const container of containers) {
    for (const variable of container.env ?? []) {
      const reference = variable.valueFrom?.secretKeyRef;
      if (reference !== undefined && !mountable.has(reference.name ?? '')) {
        return (
          `${role} ${container.name} with envVar ${variable.name} referencing ` +
          `secret.secretName="${reference.name ?? ''}" is not allowed because service account ${owner} does not ` +
          'reference that secret'
        );
      }
    }
    for (const { secretRef } of container.envFrom ?? []) {
      if (secretRef !== undefined && !mountable.has(secretRef.name ?? '')) {
        return (
          `${role} ${container.name} with envFrom referencing secret.secretName="${secretRef.name ?? ''}" is ` +
          `not allowed because service account ${owner} does not reference that secret`
        );
      }
    }
  }
  return undefined;
}
