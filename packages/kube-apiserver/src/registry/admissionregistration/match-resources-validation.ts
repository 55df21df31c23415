import {
  append,
  duplicate,
  invalidValue,
  isPathSegmentName,
  notSupported,
  repeats,
  required,
  validateLabelSelector,
} from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type { MatchResources, NamedRuleWithOperations } from '@kubechain/apimachinery/types/admissionregistration/v1';
import { validateRule } from './webhook-validation.ts';

/** Rules of what policies and bindings match (validateMatchResources, 1.36). */
export function validateMatchResources(match: MatchResources | undefined, path: FieldPath): FieldError[] {
  if (match === undefined) return [];
  const errors: FieldError[] = [];
  const { excludeResourceRules = [], matchPolicy, resourceRules = [] } = match;
  if (matchPolicy === undefined) errors.push(required(path.child('matchPolicy')));
  else if (!['Equivalent', 'Exact'].includes(matchPolicy))
    errors.push(notSupported(path.child('matchPolicy'), matchPolicy, ['Equivalent', 'Exact']));
  for (const field of ['namespaceSelector', 'objectSelector'] as const) {
    if (match[field] === undefined) errors.push(required(path.child(field)));
    else append(errors, validateLabelSelector(match[field], path.child(field)));
  }
  resourceRules.forEach((rule, i) => {
    append(errors, validateNamedRule(rule, path.child('resourceRules').index(i)));
  });
  excludeResourceRules.forEach((rule, i) => {
    append(errors, validateNamedRule(rule, path.child('excludeResourceRules').index(i)));
  });
  return errors;
}

function validateNamedRule({ resourceNames = [], ...rule }: NamedRuleWithOperations, path: FieldPath): FieldError[] {
  const repeated = repeats(resourceNames);
  const errors = resourceNames.flatMap((name, i) => {
    const at = path.child('resourceNames').index(i);
    const wrong = isPathSegmentName(name).map((message) => invalidValue(at, name, message));
    return repeated[i] === true ? [...wrong, duplicate(at, name)] : wrong;
  });
  return [...errors, ...validateRule(rule, path)];
}
