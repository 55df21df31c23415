import { append } from '../object/append.ts';
import type { LabelSelectorObject } from './label-selector.ts';
import type { FieldError } from '../errors/field-error.ts';
import { forbiddenValue, invalidValue, required } from '../errors/field-error.ts';
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
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0)
        errors.push(required(path.child('values'), "must be specified when `operator` is 'In' or 'NotIn'"));
      break;
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0)
        errors.push(
          forbiddenValue(path.child('values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
        );
      break;
    default:
      if (rules.allowUnknownOperators !== true)
        errors.push(invalidValue(path.child('operator'), operator, 'not a valid selector operator'));
  }
  for (const message of isQualifiedName(key)) errors.push(invalidValue(path.child('key'), key, message));
  if (rules.allowInvalidValues !== true) {
    values.forEach((value, i) => {
      for (const message of isLabelValue(value))
        errors.push(invalidValue(path.child('values').index(i), value, message));
    });
  }
  return errors;
}
