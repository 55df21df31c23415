import type { KubeObject } from '@kubechain/apimachinery';
import { copyField, specStrategy } from '../../spec-strategy.ts';
import { storedResource } from '../../resource.ts';
import { validated } from '../../validation/validate.ts';
import { validatePodPreset } from './validation.ts';

/** Pod presets, whose specs do not change (pkg/registry/settings/podpreset/strategy.go, 1.19). */
export const podPresetResource = storedResource({
  group: 'settings.k8s.io',
  plural: 'podpresets',
  strategy: specStrategy({
    generation: 'creation',
    prepareForUpdate: (preset: KubeObject, old: KubeObject) => {
      copyField(old, preset, 'spec');
    },
    ...validated({ create: validatePodPreset, update: validatePodPreset }),
  }),
});
