import type { PodTemplate } from '@kubechain/apimachinery/types/core/v1';
import { defaultPodTemplate as defaultTemplate } from '../pod/pod-spec-defaults.ts';

/** Defaults of pod templates (pkg/apis/core/v1, 1.36). */
export function defaultPodTemplate(template: PodTemplate): void {
  defaultTemplate((template.template ??= {}));
}
