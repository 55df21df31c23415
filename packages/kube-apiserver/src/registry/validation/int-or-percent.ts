import { invalidValue, isValidPercent } from '@kubechain/apimachinery';
import type { Rule } from './rules.ts';
import { nonNegative } from './bounds.ts';

export type IntOrPercent = number | string;

/** A number that is not negative, or per cent (ValidatePositiveIntOrPercent of pkg/apis/apps/validation, 1.36). */
export const positiveIntOrPercent: Rule<IntOrPercent | undefined> = (value = 0, path) =>
  typeof value === 'number'
    ? nonNegative(path, value)
    : isValidPercent(value).map((message) => invalidValue(path, value, message));

/** At most all of them. */
export const notMoreThan100Percent: Rule<IntOrPercent | undefined> = (value, path) =>
  typeof value === 'string' && (percentValue(value) ?? 0) > 100
    ? [invalidValue(path, value, 'must not be greater than 100%')]
    : [];

/** The number itself, the number of per cent or, of other texts, what Go's strconv.Atoi makes of them; 0 for none. */
export function intOrPercentValue(value: IntOrPercent): number {
  if (typeof value === 'number') return value;
  return percentValue(value) ?? (/^[+-]?\d+$/.test(value) ? Number(value) : 0);
}

function percentValue(text: string): number | undefined {
  return isValidPercent(text).length === 0 ? Number(text.slice(0, -1)) : undefined;
}
