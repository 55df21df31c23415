import { FieldPath } from '@kubechain/apimachinery';
import { validateCABundle } from './conversion.ts';
import { conditionOf, isConditionTrue } from '../definition/crd-types.ts';
import type { CRDCondition, CustomResourceDefinition } from '../definition/crd-types.ts';
import { sameCondition } from '../definition/naming.ts';

type Condition = Omit<CRDCondition, 'lastTransitionTime'>;

/**
 * The last step on the way into service, for a CRD whose names are accepted; undefined when there is nothing to write
 * (pkg/controller/establish, 1.36).
 */
export function establishedCondition(crd: CustomResourceDefinition): Condition | undefined {
  if (!isConditionTrue(crd, 'NamesAccepted') || isConditionTrue(crd, 'Established')) return undefined;
  const condition: Condition = hasInvalidCABundle(crd)
    ? {
        type: 'Established',
        status: 'False',
        reason: 'InvalidCABundle',
        message: 'The conversion webhook CABundle is invalid',
      }
    : {
        type: 'Established',
        status: 'True',
        reason: 'InitialNamesAccepted',
        message: 'the initial names have been accepted',
      };
  return sameCondition(condition, conditionOf(crd, 'Established')) ? undefined : condition;
}

/**
 * Whether the conversion webhook's certificates cannot be read; nothing but space counts as such here, and as none
 * where they are used.
 */
export function hasInvalidCABundle({ spec }: CustomResourceDefinition): boolean {
  const bundle = spec.conversion?.webhook?.clientConfig?.caBundle ?? '';
  return bundle !== '' && validateCABundle(bundle, FieldPath.root).length > 0;
}

/** Whether the bundle is nothing but space: as good as none. */
export function hasBlankCABundle({ spec }: CustomResourceDefinition): boolean {
  return (
    Buffer.from(spec.conversion?.webhook?.clientConfig?.caBundle ?? '', 'base64')
      .toString('latin1')
      .trim() === ''
  );
}
