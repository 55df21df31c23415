import { FieldPath, invalidValue } from '@kubechain/apimachinery';
import type { FieldErrorType } from '@kubechain/apimachinery';
import type { ExtraRules } from '../custom-resources/strategy.ts';
import { ValueSchema } from '../schema/value-schema.ts';
import { Correlation } from '../values/correlation.ts';
import { RuleRun } from './rule-run.ts';
import { schemaHasRules } from './schema-has-rules.ts';

/** Errors after which values may not have the types that rules rely on. */
const blocking = new Set<FieldErrorType>([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

/** CEL rules of custom resources. */
export const objectRules: ExtraRules = (schema, object, { old, errors, warn }) => {
  const { props } = schema;
  if (props === undefined || !schemaHasRules(props)) return [];
  if (errors.some(({ type }) => blocking.has(type))) {
    return [
      invalidValue(
        '<nil>',
        null,
        'some validation rules were not checked because the object was invalid; correct the existing errors ' +
          'to complete validation',
      ),
    ];
  }
  const correlation = old === undefined ? undefined : new Correlation(object, old, ValueSchema.of(props));
  return new RuleRun(warn).check(props, { path: FieldPath.root, value: object, old, correlation, isResource: true });
};
