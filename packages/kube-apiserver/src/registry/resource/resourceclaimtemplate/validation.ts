import { FieldPath, invalidValue } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { ResourceClaimTemplate } from '@kubechain/apimachinery/types/resource/v1';
import { validateTemplateMetadata } from '../../core/template-metadata.ts';
import { semanticEqual } from '../../semantic-equal.ts';
import { internalForm } from '../../validation/internal-form.ts';
import { validateClaimSpec } from '../validation/claim-spec.ts';

const specPath = FieldPath.of('spec');

/** Rules of new templates (ValidateResourceClaimTemplate of pkg/apis/resource/validation, 1.36). */
export function validateResourceClaimTemplate({ spec: template }: Partial<ResourceClaimTemplate>): FieldError[] {
  return [
    ...validateTemplateMetadata(template?.metadata ?? {}, specPath.child('metadata')),
    ...validateClaimSpec(template?.spec ?? {}, specPath.child('spec')),
  ];
}

/** A template makes the claims that it made; the reference looks at the whole of it again. */
export function validateResourceClaimTemplateUpdate(
  template: Partial<ResourceClaimTemplate>,
  { spec: old }: Partial<ResourceClaimTemplate>,
): FieldError[] {
  const same = semanticEqual(template.spec, old);
  return [
    ...validateResourceClaimTemplate(template),
    ...(same
      ? []
      : [
          invalidValue(
            specPath,
            internalForm('resource.ResourceClaimTemplateSpec', template.spec),
            'field is immutable',
          ),
        ]),
  ];
}
