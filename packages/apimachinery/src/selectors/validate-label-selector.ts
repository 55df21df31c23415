import { append } from '../object/append.ts';
import type { LabelSelectorObject } from './label-selector.ts';
import type { FieldError } from '../errors/field-error.ts';
import { forbiddenValue, invalidValue, required, textByPointer } from '../errors/field-error.ts';
import type { FieldPath } from '../errors/field-path.ts';
import { isLabelValue, isQualifiedName } from '../validation/names.ts';
import { validateLabels } from '../validation/object-meta.ts';

/** What {@link validateLabelSelector} lets through, for objects that have it already. */
export interface LabelSelectorRules {
  readonly allowInvalidValues?: boolean;
  readonly allowUnknownOperators?: boolean;
}

/** A selector as it stands in an object (meta/v1 validation ValidateLabelSelector). */
export function validateLabelSelector(
  selector: LabelSelectorObject | undefined,
  path: FieldPath,
  rules: LabelSelectorRules = {},
): FieldError[] {
  if (selector === undefined) return [];
  const errors = validateLabels(selector.matchLabels ?? {}, path.child('matchLabels'));
  (selector.matchExpressions ?? []).forEach((expression, i) => {
    append(errors, validateLabelRequirement(expression, path.child('matchExpressions').index(i), rules));
  });
  return errors;
}

/** One requirement of a selector (meta/v1 validation ValidateLabelSelectorRequirement). */
export function validateLabelRequirement(
  requirement: NonNullable<LabelSelectorObject['matchExpressions']>[number],
  path: FieldPath,
  rules: LabelSelectorRules = {},
): FieldError[] {
  const errors: FieldError[] = [];
  // What was left out is empty in Go.
  const { key = '', operator = '', values = [] } = requirement as Partial<typeof requirement>;
  const wrong = operatorErrors(operator, values, path);
  if (wrong !== undefined) append(errors, wrong);
  else if (rules.allowUnknownOperators !== true)
    errors.push(invalidValue(path.child('operator'), textByPointer(operator), 'not a valid selector operator'));
  for (const message of isQualifiedName(key)) errors.push(invalidValue(path.child('key'), key, message));
  if (rules.allowInvalidValues !== true) {
    values.forEach((value, i) => {
      for (const message of isLabelValue(value))
        errors.push(invalidValue(path.child('values').index(i), value, message));
    });
  }
  return errors;
}

/** What is wrong with the number of values of a requirement; undefined for an operator that nobody knows. */
export function operatorErrors(
  operator: string,
  values: readonly string[],
  path: FieldPath,
): readonly FieldError[] | undefined {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0
        ? []
        : [required(path.child('values'), "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0
        ? []
        : [forbiddenValue(path.child('values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      return undefined;
  }
}
