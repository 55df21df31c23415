import { FieldPath } from '@kubechain/apimachinery';
import type { FieldError, KubeObject } from '@kubechain/apimachinery';
import type { PodTemplate } from '@kubechain/apimachinery/types/core/v1';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { templateWarnings } from '../pod/warnings.ts';
import { validatePodTemplate } from '../pod/validation/pod-spec.ts';

const templatePath = FieldPath.of('template');
const warnings = (template: KubeObject): string[] => templateWarnings((template as PodTemplate).template, templatePath);
const validate = ({ template }: PodTemplate): FieldError[] => validatePodTemplate(template ?? {}, templatePath);

/** PodTemplate: what its spec's endpoint does beyond the generic registry. */
export const podTemplateStrategy = specStrategy({
  podTemplate: (object) => (object as PodTemplate).template,
  generation: 'template',
  ...validated({ create: validate, update: validate }),
  warningsOnCreate: warnings,
  warningsOnUpdate: (template, old) =>
    template.metadata?.generation === old.metadata?.generation ? [] : warnings(template),
});
