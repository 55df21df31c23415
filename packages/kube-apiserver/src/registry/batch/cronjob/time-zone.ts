import { FormatError, invalidValue } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import { loadLocation } from '@kubechain/component-helpers';

const partPattern = /^[A-Za-z.\-_0-9+]{1,14}$/u;

/** Rules of a time zone by name (validateTimeZone of pkg/apis/batch/validation, 1.36). */
export function validateTimeZone(zone: string | undefined, path: FieldPath): FieldError[] {
  if (zone === undefined) return [];
  if (zone === '') return [invalidValue(path, zone, 'timeZone must be nil or non-empty string')];
  if (zone.split('/').some((part) => part === '.' || part === '..' || part.startsWith('-') || !partPattern.test(part)))
    return [invalidValue(path, zone, `unknown time zone ${zone}`)];
  const errors =
    zone.toLowerCase() === 'local'
      ? [
          invalidValue(
            path,
            zone,
            'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones',
          ),
        ]
      : [];
  try {
    loadLocation(zone);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    errors.push(invalidValue(path, zone, error.message));
  }
  return errors;
}
