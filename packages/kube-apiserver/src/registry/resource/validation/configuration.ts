import { byteLength, goJSON, invalidValue, required, tooLong } from '@kubechain/apimachinery';
import type { OpaqueDeviceConfiguration } from '@kubechain/apimachinery/types/resource/v1';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type { Rule } from '../../validation/rules.ts';
import { maxParameters } from './limits.ts';
import { driverName } from './names.ts';

/**
 * How a rule takes what it looks at: as something new, or as something that is stored, which older versions may have
 * let through.
 */
export interface Seen {
  readonly stored: boolean;
}

/** What drivers are told besides (validateDeviceConfiguration of pkg/apis/resource/validation, 1.36). */
export function deviceConfiguration(
  { opaque }: { readonly opaque?: OpaqueDeviceConfiguration },
  path: FieldPath,
  seen: Seen,
): FieldError[] {
  const opaquePath = path.child('opaque');
  if (opaque === undefined) return [required(opaquePath)];
  const { driver, parameters } = opaque as Partial<OpaqueDeviceConfiguration>;
  return [
    ...driverName(driver, opaquePath.child('driver')),
    ...jsonObject(maxParameters, seen)(parameters, opaquePath.child('parameters')),
  ];
}

/** JSON of the driver's own, an object. */
export function jsonObject(max: number, { stored }: Seen): Rule<unknown> {
  return (value, path) => {
    if (value === undefined || value === null) return [required(path)];
    if (!stored && byteLength(goJSON(value)) > max) return [tooLong(path, max)];
    return typeof value === 'object' && !Array.isArray(value)
      ? []
      : [invalidValue(path, '<value omitted>', 'must be a valid JSON object')];
  };
}
