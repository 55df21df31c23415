import { FormatError, invalidValue } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';

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

/** @throws FormatError if there is no such time zone, with the text of Go's time.LoadLocation */
export function loadLocation(zone: string): void {
  if (zone === '' || zone === 'UTC' || zone === 'Local') return;
  if (zone.includes('..') || zone.startsWith('/') || zone.startsWith('\\'))
    throw new FormatError('time: invalid location name');
  if (!isKnown(zone)) throw new FormatError(`unknown time zone ${zone}`);
}

function isKnown(zone: string): boolean {
  if (!/^[A-Za-z]/u.test(zone)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions();
    return timeZone.toLowerCase() !== zone.toLowerCase() || timeZone === zone;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
