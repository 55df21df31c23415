import {
  append,
  builtinRelease,
  FieldPath,
  invalidValue,
  notSupported,
  required,
  trimSpace,
} from '@kubechain/apimachinery';
import type { FieldError, ReleaseAge } from '@kubechain/apimachinery';
import type {
  MutatingAdmissionPolicy,
  Mutation,
  NamedRuleWithOperations,
} from '@kubechain/apimachinery/types/admissionregistration/v1';
import { Composition, compileAdmissionExpression, resultTypes } from '@kubechain/apiserver/resources';
import type { CompileOptions } from '@kubechain/apiserver/resources';
import { expressionErrors } from '../expression-errors.ts';
import { formerExpressions, type IsFormer } from '../former-expressions.ts';
import { validateConditionsAndVariables, validatePolicyHead } from '../policy-validation.ts';

interface Environment extends Omit<CompileOptions, 'former' | 'results'> {
  readonly isFormer: IsFormer;
}

const operations: readonly string[] = ['*', 'CONNECT', 'CREATE', 'UPDATE'];

/** Rules of a MutatingAdmissionPolicy; `old` is what it was before an update (validation.go, 1.36). */
export function validateMutatingPolicy(
  { spec = {} }: MutatingAdmissionPolicy,
  old?: MutatingAdmissionPolicy,
  release: ReleaseAge = builtinRelease,
): FieldError[] {
  const path = FieldPath.of('spec');
  const composition = new Composition();
  const errors = [
    ...validatePolicyHead(spec, path),
    ...validateMutatingOperations(spec.matchConstraints?.resourceRules ?? [], path.child('matchConstraints')),
    ...validateConditionsAndVariables(spec, path, {
      composition,
      isFormerVariable: formerExpressions(release, []),
      release,
      old: old?.spec ?? (old === undefined ? undefined : {}),
    }),
  ];
  // JSON patches are looked for among apply configurations as well, in the reference.
  const isFormer = formerExpressions(
    release,
    (old?.spec?.mutations ?? []).map(({ applyConfiguration }) => applyConfiguration?.expression),
  );
  const environment: Environment = {
    params: spec.paramKind !== undefined,
    authorizer: true,
    composition,
    patches: true,
    isFormer,
  };
  if ((spec.mutations ?? []).length === 0)
    errors.push(required(path.child('mutations'), 'mutations must contain at least one item'));
  (spec.mutations ?? []).forEach((mutation, i) => {
    append(errors, validateMutation(mutation, path.child('mutations').index(i), environment));
  });
  const reinvocation: string = spec.reinvocationPolicy ?? '';
  if (reinvocation === '') errors.push(required(path.child('reinvocationPolicy')));
  else if (!['IfNeeded', 'Never'].includes(reinvocation))
    errors.push(notSupported(path.child('reinvocationPolicy'), reinvocation, ['IfNeeded', 'Never']));
  return errors;
}

/** What is deleted cannot be changed. */
export function validateMutatingOperations(rules: readonly NamedRuleWithOperations[], path: FieldPath): FieldError[] {
  const at = path.child('resourceRules').child('operations');
  return rules.flatMap((rule) =>
    (rule.operations ?? [])
      .filter((operation) => !operations.includes(operation))
      .map((operation) => notSupported(at, operation, operations)),
  );
}

function validateMutation(
  { applyConfiguration, jsonPatch, patchType }: Partial<Mutation>,
  path: FieldPath,
  environment: Environment,
): FieldError[] {
  switch (patchType as string | undefined) {
    case undefined:
    case '':
      return [required(path.child('patchType'))];
    case 'JSONPatch':
      return [
        ...(jsonPatch === undefined
          ? [required(path.child('jsonPatch'), 'must be specified when patchType is JSONPatch')]
          : validateExpression(jsonPatch.expression, path.child('jsonPatch'), {
              ...environment,
              results: resultTypes.jsonPatch,
            })),
        ...(applyConfiguration === undefined
          ? []
          : [
              invalidValue(
                path.child('applyConfiguration'),
                '{applyConfiguration}',
                'must not be specified when patchType is JSONPatch',
              ),
            ]),
      ];
    case 'ApplyConfiguration':
      return [
        ...(applyConfiguration === undefined
          ? [required(path.child('applyConfiguration'), 'must be specified when patchType is ApplyConfiguration')]
          : validateExpression(applyConfiguration.expression, path.child('applyConfiguration'), {
              ...environment,
              results: resultTypes.object,
            })),
        ...(jsonPatch === undefined
          ? []
          : [
              invalidValue(
                path.child('jsonPatch'),
                '{jsonPatch}',
                'must not be specified when patchType is ApplyConfiguration',
              ),
            ]),
      ];
    default:
      return [notSupported(path.child('patchType'), patchType, ['ApplyConfiguration', 'JSONPatch'])];
  }
}

function validateExpression(
  expression: string | undefined,
  path: FieldPath,
  { isFormer, ...options }: Environment & Pick<CompileOptions, 'results'>,
): FieldError[] {
  const trimmed = trimSpace(expression ?? '');
  return trimmed === ''
    ? [required(path.child('expression'))]
    : expressionErrors(
        compileAdmissionExpression(trimmed, { ...options, former: isFormer(expression ?? '') }),
        path.child('expression'),
      );
}
