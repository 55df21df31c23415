import {
  forbiddenValue,
  invalidValue,
  isDNS1123Subdomain,
  isLabelValue,
  isQualifiedName,
  required,
  textByPointer,
} from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type { NodeSelector, NodeSelectorRequirement, NodeSelectorTerm } from '@kubechain/apimachinery/types/core/v1';
import { format, items } from '../../../validation/rules.ts';
import type { Rule } from '../../../validation/rules.ts';

/** A requirement whose members may have been left out. */
type EmptiableRequirement = Partial<Omit<NodeSelectorRequirement, 'operator'>> & { readonly operator?: string };

const noOperator = 'not a valid selector operator';

/** Which nodes: at least one term (ValidateNodeSelector of pkg/apis/core/validation, 1.36). */
export function validateNodeSelector(
  selector: NodeSelector,
  path: FieldPath,
  { checkValues = true }: { readonly checkValues?: boolean } = {},
): FieldError[] {
  const terms = path.child('nodeSelectorTerms');
  if ((selector.nodeSelectorTerms?.length ?? 0) === 0)
    return [required(terms, 'must have at least one node selector term')];
  return items(validateNodeSelectorTerm(checkValues))(selector.nodeSelectorTerms, terms);
}

/** One term; preferences may have values that no label can have. */
export function validateNodeSelectorTerm(checkValues: boolean): Rule<NodeSelectorTerm | undefined> {
  return ({ matchExpressions, matchFields } = {}, path) => [
    ...items(validateExpression(checkValues))(matchExpressions, path.child('matchExpressions')),
    ...items(validateField)(matchFields, path.child('matchFields')),
  ];
}

function validateExpression(checkValues: boolean): Rule<NodeSelectorRequirement> {
  return ({ key = '', operator = '', values = [] }: EmptiableRequirement, path) => [
    ...validateOperator(operator, values, path),
    ...format(isQualifiedName)(key, path.child('key')),
    ...(checkValues ? items(format(isLabelValue))(values, path.child('values')) : []),
  ];
}

function validateOperator(operator: string, values: readonly string[], path: FieldPath): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length === 0
        ? [required(path.child('values'), "must be specified when `operator` is 'In' or 'NotIn'")]
        : [];
    case 'Exists':
    case 'DoesNotExist':
      return values.length > 0
        ? [forbiddenValue(path.child('values'), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")]
        : [];
    case 'Gt':
    case 'Lt':
      return values.length === 1
        ? []
        : [required(path.child('values'), "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalidValue(path.child('operator'), textByPointer(operator ?? ''), noOperator)];
  }
}

const validateField: Rule<NodeSelectorRequirement> = (
  { key = '', operator = '', values = [] }: EmptiableRequirement,
  path,
) => {
  const errors: FieldError[] = [];
  if (operator !== 'In' && operator !== 'NotIn')
    errors.push(invalidValue(path.child('operator'), textByPointer(operator ?? ''), noOperator));
  else if (values.length !== 1)
    errors.push(
      required(
        path.child('values'),
        "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
      ),
    );
  if (key !== 'metadata.name')
    return [...errors, invalidValue(path.child('key'), key, 'not a valid field selector key')];
  return [...errors, ...items(format(isDNS1123Subdomain))(values, path.child('values'))];
};

/** Whether values that no label can have are asked for (HasInvalidLabelValueInNodeSelectorTerms). */
export function hasUnlabelableValue(terms: readonly NodeSelectorTerm[]): boolean {
  return terms.some(({ matchExpressions = [] }) =>
    matchExpressions.some(({ values = [] }) => values.some((value) => isLabelValue(value).length > 0)),
  );
}
