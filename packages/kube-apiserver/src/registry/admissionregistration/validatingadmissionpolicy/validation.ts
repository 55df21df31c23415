import {
  append,
  builtinRelease,
  duplicate,
  FieldPath,
  invalidValue,
  isQualifiedName,
  notSupported,
  repeats,
  required,
  validateConditions,
  trimSpace,
} from '@kubechain/apimachinery';
import type { FieldError, ReleaseAge } from '@kubechain/apimachinery';
import type {
  AuditAnnotation,
  ExpressionWarning,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicySpec,
  Validation,
} from '@kubechain/apimachinery/types/admissionregistration/v1';
import { Composition, compileAdmissionExpression, resultTypes } from '@kubechain/apiserver/resources';
import type { CompileOptions } from '@kubechain/apiserver/resources';
import { expressionErrors } from '../expression-errors.ts';
import { formerExpressions, type IsFormer } from '../former-expressions.ts';
import { jsonPathProblem } from './json-path-syntax.ts';
import { validateConditionsAndVariables, validatePolicyHead } from '../policy-validation.ts';

const reasons: readonly string[] = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const space = /\p{White_Space}/u;
const maxAnnotations = 20;
const maxValueExpressionBytes = 5 * 1024;

type Environment = Omit<CompileOptions, 'former' | 'results'>;

/** By where expressions are. */
type FormerOf = Readonly<Record<'annotation' | 'message' | 'validation', IsFormer>>;

interface Surroundings {
  readonly environment: Environment;
  readonly formerOf: FormerOf;
  readonly policy: string;
}

/**
 * Rules of a ValidatingAdmissionPolicy; `old` is what it was before an update (validation.go, 1.36). In 1.34
 * what is new must be readable in 1.33.
 */
export function validateValidatingPolicy(
  { metadata, spec = {} }: ValidatingAdmissionPolicy,
  old?: ValidatingAdmissionPolicy,
  release: ReleaseAge = builtinRelease,
): FieldError[] {
  const path = FieldPath.of('spec');
  const { auditAnnotations = [], validations = [] } = old?.spec ?? {};
  const isFormer = formerExpressions(
    release,
    validations.map(({ expression }) => expression),
  );
  const composition = new Composition();
  const errors = [
    ...validatePolicyHead(spec, path),
    ...validateConditionsAndVariables(spec, path, {
      composition,
      isFormerVariable: isFormer,
      release,
      old: old?.spec ?? (old === undefined ? undefined : {}),
    }),
  ];
  const environment: Environment = {
    params: spec.paramKind !== undefined,
    authorizer: true,
    composition: (spec.variables ?? []).length === 0 ? undefined : composition,
  };
  const formerOf: FormerOf = {
    validation: isFormer,
    message: formerExpressions(
      release,
      validations.map(({ messageExpression }) => messageExpression),
    ),
    annotation: formerExpressions(
      release,
      auditAnnotations.map(({ valueExpression }) => valueExpression),
    ),
  };
  return [...errors, ...validateChecks(spec, path, { environment, formerOf, policy: metadata?.name ?? '' })];
}

function validateChecks(
  { auditAnnotations = [], validations = [] }: ValidatingAdmissionPolicySpec,
  path: FieldPath,
  surroundings: Surroundings,
): FieldError[] {
  if (validations.length === 0 && auditAnnotations.length === 0) {
    return ['validations', 'auditAnnotations'].map((field) =>
      required(path.child(field), 'validations or auditAnnotations must contain at least one item'),
    );
  }
  const errors = validations.flatMap((validation, i) =>
    validateValidation(validation, path.child('validations').index(i), surroundings),
  );
  const annotationsPath = path.child('auditAnnotations');
  if (auditAnnotations.length > maxAnnotations) {
    errors.push(
      invalidValue(
        annotationsPath,
        auditAnnotations.map(({ key, valueExpression }) => ({ Key: key, ValueExpression: valueExpression })),
        `must not have more than ${maxAnnotations} auditAnnotations`,
      ),
    );
  }
  const repeated = repeats(auditAnnotations.map(({ key }) => key));
  auditAnnotations.forEach((annotation, i) => {
    const at = annotationsPath.index(i);
    append(errors, validateAnnotation(annotation, at, surroundings));
    if (repeated[i] === true) errors.push(duplicate(at.child('key'), annotation.key ?? ''));
  });
  return errors;
}

function validateValidation(
  { expression = '', message = '', messageExpression = '', reason }: Partial<Validation>,
  path: FieldPath,
  { environment, formerOf }: Surroundings,
): FieldError[] {
  const errors: FieldError[] = [];
  if (expression.trim() === '') errors.push(required(path.child('expression'), 'expression is not specified'));
  else
    append(
      errors,
      expressionErrors(
        compileAdmissionExpression(expression, {
          ...environment,
          former: formerOf.validation(expression),
          results: resultTypes.bool,
        }),
        path.child('expression'),
      ),
    );
  if (messageExpression !== '') {
    const at = path.child('messageExpression');
    if (trimSpace(messageExpression) === '')
      errors.push(invalidValue(at, messageExpression, 'must be non-empty if specified'));
    else
      append(
        errors,
        expressionErrors(
          compileAdmissionExpression(messageExpression, {
            ...environment,
            authorizer: false,
            former: formerOf.message(messageExpression),
            results: resultTypes.text,
          }),
          at,
        ),
      );
  }
  if (message !== '' && trimSpace(message) === '')
    errors.push(invalidValue(path.child('message'), message, 'must be non-empty if specified'));
  else if (/[\n\r]/.test(trimSpace(message)))
    errors.push(invalidValue(path.child('message'), message, 'must not contain line breaks'));
  if (reason !== undefined && !reasons.includes(reason))
    errors.push(notSupported(path.child('reason'), reason, reasons));
  return errors;
}

function validateAnnotation(
  { key = '', valueExpression = '' }: Partial<AuditAnnotation>,
  path: FieldPath,
  { environment, formerOf, policy }: Surroundings,
): FieldError[] {
  const qualified = `${policy}/${key}`;
  const errors =
    policy === ''
      ? [invalidValue(path.child('key'), key, 'requires metadata.name be non-empty')]
      : isQualifiedName(qualified).map((message) => invalidValue(path.child('key'), qualified, message));
  const trimmed = trimSpace(valueExpression);
  const at = path.child('valueExpression');
  if (trimmed === '') errors.push(required(at, 'valueExpression is not specified'));
  else if (Buffer.byteLength(trimmed) > maxValueExpressionBytes)
    errors.push(required(at, `must not exceed ${maxValueExpressionBytes} bytes in length`));
  else
    append(
      errors,
      expressionErrors(
        compileAdmissionExpression(trimmed, {
          ...environment,
          former: formerOf.annotation(valueExpression),
          results: resultTypes.textOrNull,
        }),
        at,
        valueExpression,
      ),
    );
  return errors;
}

/** Rules of a policy's status. */
export function validateValidatingPolicyStatus({ status }: ValidatingAdmissionPolicy): FieldError[] {
  const path = FieldPath.of('status');
  const errors = (status?.typeChecking?.expressionWarnings ?? []).flatMap(
    ({ fieldRef = '', warning = '' }: Partial<ExpressionWarning>, i) => {
      const at = path.child('typeChecking').child('expressionWarnings').index(i);
      return [
        ...(warning === '' ? [required(at.child('warning'))] : []),
        ...fieldRefErrors(withoutSpace(fieldRef), at.child('fieldRef')),
      ];
    },
  );
  return [...errors, ...validateConditions(status?.conditions ?? [], path.child('conditions'))];
}

function fieldRefErrors(fieldRef: string, path: FieldPath): FieldError[] {
  if (fieldRef === '') return [required(path)];
  const problem = jsonPathProblem(`{${fieldRef}}`);
  return problem === undefined ? [] : [invalidValue(path, fieldRef, `invalid JSONPath: ${problem}`)];
}

/** A text without what Unicode calls space at its ends, as strings.TrimSpace. */
function withoutSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && space.test(text.charAt(start))) start++;
  while (end > start && space.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}
