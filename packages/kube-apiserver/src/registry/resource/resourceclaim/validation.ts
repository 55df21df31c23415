import { FieldPath, invalidValue } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { ResourceClaim } from '@kubechain/apimachinery/types/resource/v1';
import { semanticEqual } from '../../semantic-equal.ts';
import { internalForm } from '../../validation/internal-form.ts';
import { validateClaimSpec } from '../validation/claim-spec.ts';

const specPath = FieldPath.of('spec');

/** Rules of new claims (ValidateResourceClaim of pkg/apis/resource/validation, 1.36). */
export function validateResourceClaim({ spec }: Partial<ResourceClaim>): FieldError[] {
  return validateClaimSpec(spec ?? {}, specPath);
}

/** A claim asks for what it asked for. */
export function validateResourceClaimUpdate(
  { spec }: Partial<ResourceClaim>,
  { spec: old }: Partial<ResourceClaim>,
): FieldError[] {
  return semanticEqual(spec, old)
    ? []
    : [invalidValue(specPath, internalForm('resource.ResourceClaimSpec', spec), 'field is immutable')];
}
