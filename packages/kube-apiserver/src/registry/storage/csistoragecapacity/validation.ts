import { FieldPath, invalidValue, isDNS1123Subdomain, Quantity, validateLabelSelector } from '@kubechain/apimachinery';
import type { FieldError, LabelSelectorRules } from '@kubechain/apimachinery';
import type { CSIStorageCapacity } from '@kubechain/apimachinery/types/storage/v1';
import { nodeSelectorWarnings } from '../../core/node-label-warnings.ts';
import { equalPointers } from '../../semantic-equal.ts';
import { immutable } from '../../validation/immutable.ts';
import { publishedForm } from '../../validation/internal-form.ts';
import { format } from '../../validation/rules.ts';

const classPath = FieldPath.of('storageClassName');
const topologyPath = FieldPath.of('nodeTopology');
const className = format(isDNS1123Subdomain);

/** Rules of new capacities (ValidateCSIStorageCapacity of pkg/apis/storage/validation, 1.36). */
export function validateCSIStorageCapacity(
  { capacity, nodeTopology, storageClassName }: CSIStorageCapacity,
  selectorRules?: LabelSelectorRules,
): FieldError[] {
  return [
    ...validateLabelSelector(nodeTopology, topologyPath, selectorRules),
    ...className(storageClassName, classPath),
    ...(capacity !== undefined && Quantity.parse(capacity).sign < 0
      ? [invalidValue('capacity', capacity, 'must be greater than or equal to 0')]
      : []),
  ];
}

/** What was asked for stays; the answer may change. */
export function validateCSIStorageCapacityChange(capacity: CSIStorageCapacity, old: CSIStorageCapacity): FieldError[] {
  return [
    ...(equalPointers(capacity.nodeTopology, old.nodeTopology)
      ? []
      : [
          invalidValue(
            topologyPath,
            capacity.nodeTopology === undefined ? null : publishedForm(capacity.nodeTopology),
            'field is immutable',
          ),
        ]),
    ...immutable(classPath, capacity.storageClassName || '', old.storageClassName || ''),
  ];
}

/** Labels of nodes that are not used any more. */
export function csiStorageCapacityWarnings({ nodeTopology }: CSIStorageCapacity): string[] {
  return nodeSelectorWarnings(nodeTopology, topologyPath);
}
