import { duplicate, FieldPath, isQualifiedName, notSupported, required } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { TopologySelectorLabelRequirement, TopologySelectorTerm } from '@kubechain/apimachinery/types/core/v1';
import type { StorageClass } from '@kubechain/apimachinery/types/storage/v1';
import { nodeLabelMessage } from '../../core/node-label-warnings.ts';
import { immutable } from '../../validation/immutable.ts';
import { format, oneOf } from '../../validation/rules.ts';
import { validateParameters, validateProvisioner } from '../parameters.ts';

const topologiesPath = FieldPath.of('allowedTopologies');
const reclaimPolicies = ['Delete', 'Retain'];
const bindingMode = oneOf(['Immediate', 'WaitForFirstConsumer']);
const labelName = format(isQualifiedName);

/** Rules of new storage classes (ValidateStorageClass of pkg/apis/storage/validation, 1.36). */
export function validateStorageClass({ allowedTopologies, parameters, provisioner, reclaimPolicy, volumeBindingMode }: StorageClass): FieldError[] {
  return [
    ...validateProvisioner(provisioner, FieldPath.of('provisioner')), ...validateParameters(parameters, FieldPath.of('parameters'), { allowEmpty: true }),
    ...(reclaimPolicy === undefined || reclaimPolicies.includes(reclaimPolicy) ? [] : [notSupported('reclaimPolicy', reclaimPolicy, reclaimPolicies)]),
    ...bindingMode(volumeBindingMode, FieldPath.of('volumeBindingMode')), ...(allowedTopologies ?? []).flatMap((term, i) => validateTerm(term, topologiesPath.index(i))),
  ];
}

/** What a class means never changes (ValidateStorageClassUpdate). */
export function validateStorageClassUpdate(storageClass: StorageClass, old: StorageClass): FieldError[] {
  return (['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'] as const).flatMap((field) => immutable(field, storageClass[field], old[field]));
}

/** Labels of nodes that are not used any more (GetWarningsForStorageClass of pkg/api/storage). */
export function storageClassWarnings({ allowedTopologies = [] }: StorageClass): string[] {
  return allowedTopologies.flatMap(({ matchLabelExpressions = [] }, i) => matchLabelExpressions.flatMap(({ key }, j) => {
    const message = nodeLabelMessage(key);
    return message === undefined ? [] : [`${topologiesPath.index(i).child('matchLabelExpressions').index(j).child('key').toString()}: ${message}`];
  }));
}

function validateTerm({ matchLabelExpressions = [] }: TopologySelectorTerm, path: FieldPath): FieldError[] {
  const keys = new Set<string>();
  return matchLabelExpressions.flatMap((requirement, i) => {
    const at = path.child('matchLabelExpressions').index(i);
    const errors = validateRequirement(requirement, at);
    if (keys.has(requirement.key)) errors.push(duplicate(at.child('key'), requirement.key));
    keys.add(requirement.key);
    return errors;
  });
}

function validateRequirement({ key, values = [] }: Partial<TopologySelectorLabelRequirement>, path: FieldPath): FieldError[] {
  const at = path.child('values');
  return [
    ...(values.length === 0 ? [required(at)] : []), ...values.flatMap((value, i) => (values.indexOf(value) < i ? [duplicate(at.index(i), value)] : [])),
    ...labelName(key, path.child('key')),
  ];
}
