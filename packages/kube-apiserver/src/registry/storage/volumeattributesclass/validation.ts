import { FieldPath, forbiddenValue } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { VolumeAttributesClass } from '@kubechain/apimachinery/types/storage/v1';
import { semanticEqual } from '../../semantic-equal.ts';
import { validateParameters, validateProvisioner } from '../parameters.ts';

const driverPath = FieldPath.of('driverName');
const parametersPath = FieldPath.of('parameters');

/** Rules of classes of volume attributes: a driver, and something for it to do (pkg/apis/storage/validation, 1.36). */
export function validateVolumeAttributesClass({ driverName, parameters }: VolumeAttributesClass): FieldError[] {
  return [
    ...validateProvisioner(driverName, driverPath),
    ...validateParameters(parameters, parametersPath, { allowEmpty: false }),
  ];
}

/** What a class means never changes. */
export function validateVolumeAttributesClassChange(
  attributes: VolumeAttributesClass,
  old: VolumeAttributesClass,
): FieldError[] {
  return [
    ...((attributes.driverName || '') === (old.driverName || '')
      ? []
      : [forbiddenValue(driverPath, 'updates to driverName are forbidden.')]),
    ...(semanticEqual(attributes.parameters, old.parameters)
      ? []
      : [forbiddenValue(parametersPath, 'updates to parameters are forbidden.')]),
  ];
}
