import { builtinRelease, FieldPath, invalidValue } from '@kubechain/apimachinery';
import type { FieldError, FieldErrorType, ReleaseAge } from '@kubechain/apimachinery';
import type { ExtraRules } from '../custom-resources/strategy.ts';
import { ValueSchema } from '../schema/value-schema.ts';
import { Correlation } from '../values/correlation.ts';
import type { CelMetrics } from './cel-metrics.ts';
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
export const objectRules: ExtraRules = objectRulesOf(builtinRelease);

/** The same as a release tells what breaks them. */
export function objectRulesOf(release: ReleaseAge, metrics?: CelMetrics): ExtraRules {
  return (schema, object, check) => brokenRules(schema, object, { ...check, metrics, release });
}

function* brokenRules(
  schema: Parameters<ExtraRules>[0],
  object: Parameters<ExtraRules>[1],
  {
    old,
    errors,
    metadataErrors,
    metrics,
    release,
    spent,
    warn,
  }: Parameters<ExtraRules>[2] & { readonly metrics: CelMetrics | undefined; readonly release: ReleaseAge },
): ReturnType<ExtraRules> {
  const { props } = schema;
  if (props === undefined || !schemaHasRules(props)) return [];
  const isBlocking = ({ type }: FieldError): boolean => blocking.has(type);
  if (errors.some(isBlocking) || metadataErrors?.().some(isBlocking) === true) {
    return [
      invalidValue(
        '<nil>',
        null,
        'some validation rules were not checked because the object was invalid; correct the existing errors ' +
          'to complete validation',
      ),
    ];
  }
  const correlation = old === undefined ? undefined : new Correlation(object, old, ValueSchema.of(props), spent);
  return yield* new RuleRun({ warn, release, metrics }).check(props, {
    path: FieldPath.root,
    value: object,
    old,
    correlation,
    isResource: true,
  });
}
