import type { DownwardAPIVolumeFile, HostPathVolumeSource, Volume } from '@kubechain/apimachinery/types/core/v1';
import { defaultClaimSpec } from '../persistentvolumeclaim/defaults.ts';
import { defaultFieldRef, defaultPullPolicy } from './container-defaults.ts';

/** Mode of projected files: 0644. */
const fileMode = 0o644;
const tokenSeconds = 3600;

/** Volume defaults of pod specs (SetDefaults_Volume and what it reaches, pkg/apis/core/v1, 1.36). */
export function defaultVolume(volume: Volume): void {
  if (hasNoSource(volume)) volume.emptyDir = {};
  if (volume.image !== undefined) volume.image.pullPolicy ||= defaultPullPolicy(volume.image.reference ?? '');
  defaultHostPath(volume.hostPath);
  if (volume.secret !== undefined) volume.secret.defaultMode ??= fileMode;
  if (volume.configMap !== undefined) volume.configMap.defaultMode ??= fileMode;
  if (volume.downwardAPI !== undefined) {
    volume.downwardAPI.defaultMode ??= fileMode;
    defaultFiles(volume.downwardAPI.items);
  }
  if (volume.projected !== undefined) {
    volume.projected.defaultMode ??= fileMode;
    for (const source of volume.projected.sources ?? []) {
      defaultFiles(source.downwardAPI?.items);
      if (source.serviceAccountToken !== undefined) source.serviceAccountToken.expirationSeconds ??= tokenSeconds;
    }
  }
  const claim = volume.ephemeral?.volumeClaimTemplate;
  if (claim !== undefined) defaultClaimSpec((claim.spec ??= {}));
}

/** A host path that says nothing of its type is not checked. */
export function defaultHostPath(source: HostPathVolumeSource | undefined): void {
  if (source !== undefined) source.type ??= '';
}

function hasNoSource(volume: Volume): boolean {
  for (const member in volume) if (member !== 'name' && volume[member as keyof Volume] !== undefined) return false;
  return true;
}

function defaultFiles(files: readonly DownwardAPIVolumeFile[] | undefined): void {
  if (files !== undefined) for (const file of files) if (file.fieldRef !== undefined) defaultFieldRef(file.fieldRef);
}
