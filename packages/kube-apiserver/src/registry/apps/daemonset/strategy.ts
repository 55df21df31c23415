import { FieldPath } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { DaemonSet } from '@kubechain/apimachinery/types/apps/v1';
import type { Strategy } from '@kubechain/apiserver/resources';
import type { Capabilities } from '../../capabilities.ts';
import { templateWarnings } from '../../core/pod/warnings.ts';
import { semanticEqual } from '../../semantic-equal.ts';
import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { forgiving } from '../../core/pod/validation/kept-mistakes.ts';
import { validated } from '../../validation/validate.ts';
import { templateGenerationAnnotation } from './defaults.ts';
import { validateDaemonSet, validateDaemonSetStatus, validateDaemonSetUpdate } from './validation.ts';

const templatePath = FieldPath.of('spec', 'template');

/**
 * DaemonSets: counts changes of the template in an annotation, where apps/v1 keeps what was spec.templateGeneration
 * (pkg/registry/apps/daemonset/strategy.go and pkg/apis/apps/v1/conversion.go, 1.36).
 */
export const daemonSetStrategy = (capabilities: Capabilities): Strategy =>
  specStrategy({
    pods: { capabilities, template: (set) => (set as DaemonSet).spec?.template },
    generation: 'spec',
    status: true,
    ...validated<DaemonSet>({
      create: (object) => validateDaemonSet(object, capabilities),
      update: (object, old) =>
        forgiving(capabilities, old.spec?.template, (lenient) => validateDaemonSetUpdate(object, old, lenient)),
    }),
    warningsOnCreate: (set) => templateWarnings((set as DaemonSet).spec?.template, templatePath),
    warningsOnUpdate: (set, old) =>
      templateGeneration(set) === templateGeneration(old)
        ? []
        : templateWarnings((set as DaemonSet).spec?.template, templatePath),
    prepareForCreate(set) {
      if (templateGeneration(set) < 1) setTemplateGeneration(set, 1);
    },
    prepareForUpdate(set, old) {
      setTemplateGeneration(set, templateGeneration(old) + (semanticEqual(templateOf(set), templateOf(old)) ? 0 : 1));
    },
  });

/** DaemonSet's status endpoint: the template's generation counts as a part of the spec. */
export const daemonSetStatusStrategy = statusStrategy({
  hooks: {
    ...validated({ update: validateDaemonSetStatus }),
    prepareForUpdate(set, old) {
      setTemplateGeneration(set, templateGeneration(old));
    },
  },
});

function templateOf(set: KubeObject): unknown {
  return (set['spec'] as { template?: unknown } | undefined)?.template;
}

function templateGeneration(set: KubeObject): number {
  return Number.parseInt(set.metadata?.annotations?.[templateGenerationAnnotation] ?? '0', 10) || 0;
}

function setTemplateGeneration(set: KubeObject, value: number): void {
  ((set.metadata ??= {}).annotations ??= {})[templateGenerationAnnotation] = String(value);
}
