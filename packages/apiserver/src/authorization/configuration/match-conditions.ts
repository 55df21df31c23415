import {
  boolType,
  fromPlainJSON,
  isCelError,
  listOf,
  mapOf,
  objectOf,
  runtimeTypeText,
  stringType,
  type CelType,
} from '@kubechain/cel';
import type { ConfiguredExpression, ExpressionSubject } from '../../expressions/configured-expression.ts';
import { aggregateTexts } from '@kubechain/apimachinery';
import type { AuthorizationAttributes } from '../authorizer.ts';
import { fieldRequirements, labelRequirements } from '../selector-requirements.ts';

const texts = listOf(stringType);

function object(name: string, fields: Readonly<Record<string, CelType>>): CelType {
  return objectOf(`kubernetes.${name}`, new Map(Object.entries(fields)));
}

function selector(name: string): CelType {
  const requirement = object('SelectorRequirement', { key: stringType, operator: stringType, values: texts });
  return object(name, { rawSelector: stringType, requirements: listOf(requirement) });
}

/** The spec of a SubjectAccessReview of v1, as conditions know it (authorization/cel/compile.go, 1.36). */
export const requestSubject: ExpressionSubject = {
  variable: 'request',
  type: object('SubjectAccessReviewSpec', {
    resourceAttributes: object('ResourceAttributes', {
      namespace: stringType,
      verb: stringType,
      group: stringType,
      version: stringType,
      resource: stringType,
      subresource: stringType,
      name: stringType,
      fieldSelector: selector('FieldSelectorAttributes'),
      labelSelector: selector('LabelSelectorAttributes'),
    }),
    nonResourceAttributes: object('NonResourceAttributes', { path: stringType, verb: stringType }),
    user: stringType,
    groups: texts,
    extra: mapOf(stringType, texts),
    uid: stringType,
  }),
  result: {
    type: boolType,
    refusal: (got) => `must evaluate to bool but got ${runtimeTypeText(got)}`,
  },
};

/** Whether conditions are met; what kept some from being told, where none is not met. */
export type ConditionsOutcome = { readonly kind: 'met' | 'unmet' } | { readonly kind: 'failed'; readonly error: Error };

/** All have to be met; one that is not decides beside those that fail (authorization/cel/matcher.go, 1.36). */
export function matchConditions(
  conditions: readonly ConfiguredExpression[],
  attributes: AuthorizationAttributes,
): ConditionsOutcome {
  const request = fromPlainJSON(requestOf(attributes));
  const errors: string[] = [];
  for (const condition of conditions) {
    const result = condition.evaluate(request);
    if (isCelError(result))
      errors.push(`cel evaluation error: expression '${condition.source}' resulted in error: ${result.message}`);
    else if (result !== true) return { kind: 'unmet' };
  }
  return errors.length === 0 ? { kind: 'met' } : { kind: 'failed', error: new Error(aggregateTexts(errors)) };
}

/** Texts are there when they are empty, too; selectors only with requirements. */
function requestOf(attributes: AuthorizationAttributes): object {
  const { apiGroup: group, apiVersion: version, name, namespace, path, resource, subresource, user, verb } = attributes;
  const fields = fieldRequirements(attributes.fieldSelector ?? '');
  const labels = labelRequirements(attributes.labelSelector ?? '');
  return {
    user: user.name,
    groups: user.groups,
    uid: user.uid ?? '',
    extra: user.extra ?? {},
    ...(attributes.resourceRequest
      ? {
          resourceAttributes: {
            namespace,
            verb,
            group,
            version,
            resource,
            subresource,
            name,
            ...(fields.length === 0 ? {} : { fieldSelector: { requirements: fields } }),
            ...(labels.length === 0 ? {} : { labelSelector: { requirements: labels } }),
          },
        }
      : { nonResourceAttributes: { path, verb } }),
  };
}
