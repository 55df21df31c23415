import { invalidValue, notSupported, required } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { FieldPath } from '@kubechain/apimachinery';
import { resolveFieldPath } from '../schema/field-path.ts';
import type { JSONSchemaProps } from '../schema/json-schema-props.ts';
import { structuralProblem } from '../schema/structural-problem.ts';

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const lineBreak = /[\n\r]/;

/** The members of CEL rules, but for what their expressions say. */
export function validateRules(props: JSONSchemaProps, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const filled = new Map<JSONSchemaProps, boolean>();
  let problem: { readonly text: string | undefined } | undefined;
  props['x-kubernetes-validations']?.forEach((rule, i) => {
    const at = path.child('x-kubernetes-validations').index(i);
    const { message = '', messageExpression = '', fieldPath = '' } = rule;
    const expression = (rule.rule ?? '').trim(),
      trimmed = message.trim();
    if (expression === '') errors.push(required(at.child('rule'), 'rule is not specified'));
    else if (message !== '' && trimmed === '')
      errors.push(invalidValue(at.child('message'), message, 'must be non-empty if specified'));
    else if (lineBreak.test(trimmed))
      errors.push(invalidValue(at.child('message'), message, 'must not contain line breaks'));
    else if (lineBreak.test(expression) && trimmed === '')
      errors.push(required(at.child('message'), 'message must be specified if rule contains line breaks'));
    if (messageExpression !== '' && messageExpression.trim() === '')
      errors.push(required(at.child('messageExpression'), 'messageExpression must be non-empty if specified'));
    if (rule.reason !== undefined && !reasons.includes(rule.reason))
      errors.push(notSupported(at.child('reason'), rule.reason, reasons));
    if (fieldPath !== '' && fieldPath.trim() === '')
      errors.push(invalidValue(at.child('fieldPath'), fieldPath, 'must be non-empty if specified'));
    if (lineBreak.test(fieldPath))
      errors.push(invalidValue(at.child('fieldPath'), fieldPath, 'must not contain line breaks'));
    if (
      fieldPath !== '' &&
      (problem ??= { text: structuralProblem(props) }).text === undefined &&
      typeof resolveFieldPath(fieldPath, props, { brackets: true, filled }) === 'string'
    ) {
      errors.push(invalidValue(at.child('fieldPath'), fieldPath, 'must be a valid path'));
    }
  });
  return errors;
}
