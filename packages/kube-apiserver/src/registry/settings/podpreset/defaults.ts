import type { PodPreset } from '@kubechain/apimachinery/types/settings/v1alpha1';
import { defaultFieldRef } from '../../core/pod/container-defaults.ts';
import { defaultVolume } from '../../core/pod/volume-defaults.ts';

/** Defaults of pod presets (pkg/apis/settings/v1alpha1, 1.19). */
export function defaultPodPreset({ spec }: PodPreset): void {
  for (const { valueFrom } of spec?.env ?? [])
    if (valueFrom?.fieldRef !== undefined) defaultFieldRef(valueFrom.fieldRef);
  for (const volume of spec?.volumes ?? []) defaultVolume(volume);
}
