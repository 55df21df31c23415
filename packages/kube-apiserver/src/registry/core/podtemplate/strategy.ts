import { FieldPath } from '@kubechain/apimachinery';
import type { FieldError, KubeObject } from '@kubechain/apimachinery';
import type { PodTemplate } from '@kubechain/apimachinery/types/core/v1';
import type { Strategy } from '@kubechain/apiserver/resources';
import type { Capabilities } from '../../capabilities.ts';
import { specStrategy } from '../../spec-strategy.ts';
import { forgiving } from '../pod/validation/kept-mistakes.ts';
import { validated } from '../../validation/validate.ts';
import { templateWarnings } from '../pod/warnings.ts';
import { validatePodTemplate } from '../pod/validation/pod-spec.ts';

const templatePath = FieldPath.of('template');
const warnings = (template: KubeObject): string[] => templateWarnings((template as PodTemplate).template, templatePath);
const validate = ({ template }: PodTemplate, capabilities: Capabilities): FieldError[] =>
  validatePodTemplate(template ?? {}, templatePath, capabilities);

/** PodTemplate: what its spec's endpoint does beyond the generic registry. */
export const podTemplateStrategy = (capabilities: Capabilities): Strategy =>
  specStrategy({
    pods: { capabilities, template: (object) => (object as PodTemplate).template },
    generation: 'template',
    ...validated<PodTemplate>({
      create: (object) => validate(object, capabilities),
      update: (object, old) => forgiving(capabilities, old.template, (lenient) => validate(object, lenient)),
    }),
    warningsOnCreate: warnings,
    warningsOnUpdate: (template, old) =>
      template.metadata?.generation === old.metadata?.generation ? [] : warnings(template),
  });
