import { append, equalJSON, invalidValue, notSupported, required } from '@kubechain/apimachinery';
import type { FieldError, FieldPath, JSONValue, ReleaseAge } from '@kubechain/apimachinery';
import type {
  MutatingAdmissionPolicySpec,
  ValidatingAdmissionPolicySpec,
  Variable,
} from '@kubechain/apimachinery/types/admissionregistration/v1';
import type { Composition, OptionalVariables } from '@kubechain/apiserver/resources';
import { reservedWords } from '@kubechain/cel';
import { expressionErrors } from './expression-errors.ts';
import { formerExpressions, type IsFormer } from './former-expressions.ts';
import { validateMatchConditions } from './match-conditions-validation.ts';
import { validateMatchResources } from './match-resources-validation.ts';
import { validateParamKind } from './param-validation.ts';

type Spec = ValidatingAdmissionPolicySpec | MutatingAdmissionPolicySpec;

/** Rules that both kinds of policies begin with (validation.go, 1.36). `anyConditions`: conditions have not changed. */
export function validatePolicyHead(spec: Spec, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const { failurePolicy, matchConstraints, paramKind } = spec;
  if (failurePolicy === undefined) errors.push(required(path.child('failurePolicy')));
  else if (!['Fail', 'Ignore'].includes(failurePolicy))
    errors.push(notSupported(path.child('failurePolicy'), failurePolicy, ['Fail', 'Ignore']));
  if (paramKind !== undefined) append(errors, validateParamKind(paramKind, path.child('paramKind')));
  if (matchConstraints === undefined) errors.push(required(path.child('matchConstraints')));
  else {
    append(errors, validateMatchResources(matchConstraints, path.child('matchConstraints')));
    if ((matchConstraints.resourceRules ?? []).length === 0)
      errors.push(required(path.child('matchConstraints').child('resourceRules')));
  }
  return errors;
}

/** Rules of conditions, and of variables, which are added to `composition` in their order. */
export function validateConditionsAndVariables(
  spec: Spec,
  path: FieldPath,
  {
    composition,
    isFormerVariable,
    old,
    release,
  }: {
    readonly composition: Composition;
    readonly isFormerVariable: IsFormer;
    /** Before an update. */
    readonly old: Spec | undefined;
    readonly release: ReleaseAge;
  },
): FieldError[] {
  const params = spec.paramKind !== undefined;
  const errors =
    old !== undefined && equalJSON(conditionsOf(spec), conditionsOf(old))
      ? []
      : validateMatchConditions(spec.matchConditions ?? [], path.child('matchConditions'), {
          params,
          isFormer: formerExpressions(
            release,
            (old?.matchConditions ?? []).map(({ expression }) => expression),
          ),
        });
  (spec.variables ?? []).forEach((variable, i) => {
    const former = isFormerVariable(variable.expression ?? '');
    const optional: OptionalVariables = { params, authorizer: true, former };
    append(errors, validateVariable(variable, path.child('variables').index(i), { composition, optional }));
  });
  return errors;
}

/** What decides whether conditions are as they were. */
function conditionsOf({ matchConditions = [], paramKind }: Spec): JSONValue {
  return {
    paramKind: paramKind === undefined ? null : [paramKind.apiVersion ?? '', paramKind.kind ?? ''],
    conditions: matchConditions.map(({ expression, name }) => [name, expression]),
  };
}

function validateVariable(
  { expression = '', name = '' }: Partial<Variable>,
  path: FieldPath,
  { composition, optional }: { readonly composition: Composition; readonly optional: OptionalVariables },
): FieldError[] {
  const errors: FieldError[] = [];
  if (name.trim() === '') errors.push(required(path.child('name'), 'name is not specified'));
  else if (!/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) || reservedWords.has(name))
    errors.push(invalidValue(path.child('name'), name, 'must be a valid CEL identifier'));
  if (expression.trim() === '') errors.push(required(path.child('expression'), 'expression is not specified'));
  else append(errors, expressionErrors(composition.add(name, expression, optional), path.child('expression')));
  return errors;
}
