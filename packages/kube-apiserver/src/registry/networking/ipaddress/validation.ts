import { FieldPath, invalidValue, isDNS1123Subdomain, isPathSegmentName, required } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { IPAddress, ParentReference } from '@kubechain/apimachinery/types/networking/v1';
import { semanticEqual } from '../../semantic-equal.ts';
import { internalForm } from '../../validation/internal-form.ts';
import { fields, filled, format, needed } from '../../validation/rules.ts';

const parentPath = FieldPath.of('spec', 'parentRef');

const parentRules = fields<ParentReference>({
  group: filled(format(isDNS1123Subdomain)),
  resource: needed(format(isPathSegmentName)),
  name: needed(format(isPathSegmentName)),
  namespace: filled(format(isPathSegmentName)),
});

/** An address belongs to somebody (ValidateIPAddress of pkg/apis/networking/validation, 1.36). */
export function validateIPAddress({ spec }: IPAddress): FieldError[] {
  const parent = (spec as Partial<IPAddress['spec']> | undefined)?.parentRef;
  return parent === undefined ? [required(parentPath)] : parentRules(parent, parentPath);
}

/** The owner stays (ValidateIPAddressUpdate). */
export function validateIPAddressChange({ spec }: IPAddress, old: IPAddress): FieldError[] {
  const parent = (spec as Partial<IPAddress['spec']> | undefined)?.parentRef;
  const same = semanticEqual(parent, (old.spec as Partial<IPAddress['spec']> | undefined)?.parentRef);
  const printed = parent === undefined ? null : internalForm('networking.ParentReference', parent);
  return same ? [] : [invalidValue(parentPath, printed, 'field is immutable')];
}
