import { append, emptiedFields, forbiddenValue, internalFieldError, invalidValue } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type { JSONSchemaProps } from '../schema/json-schema-props.ts';
import { structuralProblem } from '../schema/structural-problem.ts';
import { validateDefaults } from './defaults.ts';
import { internalSchema } from './internal-form.ts';
import type { VersionSchema } from './internal-spec.ts';
import { validateOpenAPISchema } from './openapi-schema.ts';
import type { RuleChecker, RuleSession } from './rule-checker.ts';
import { validateStructural, type PatternProblem } from './structural.ts';

/** What looks at parts of schemas. */
export interface SchemaChecks {
  readonly rules: RuleChecker | undefined;
  readonly patternProblem: PatternProblem;
}

/** What is checked of schemas; rules that came later do not hold for CRDs that broke them before. */
export interface SchemaOptions extends SchemaChecks {
  readonly requireSchema: boolean;
  readonly requireValidType: boolean;
  readonly requireStructural: boolean;
  readonly requirePrunedDefaults: boolean;
  readonly requireAtomicSet: boolean;
  readonly requireMapKeys: boolean;
  readonly storedExpressions: ReadonlySet<string>;
  readonly unchangedVersions: ReadonlySet<string>;
}

/** Keywords that the root may have beside a status endpoint, as Go field names, in Go's order. */
const allowedAtRoot: readonly (readonly [name: string, keyword: string])[] = [
  ['Description', 'description'],
  ['Type', 'type'],
  ['Format', 'format'],
  ['Title', 'title'],
  ['Maximum', 'maximum'],
  ['ExclusiveMaximum', 'exclusiveMaximum'],
  ['Minimum', 'minimum'],
  ['ExclusiveMinimum', 'exclusiveMinimum'],
  ['MaxLength', 'maxLength'],
  ['MinLength', 'minLength'],
  ['Pattern', 'pattern'],
  ['MaxItems', 'maxItems'],
  ['MinItems', 'minItems'],
  ['UniqueItems', 'uniqueItems'],
  ['MultipleOf', 'multipleOf'],
  ['Required', 'required'],
  ['Items', 'items'],
  ['Properties', 'properties'],
  ['ExternalDocs', 'externalDocs'],
  ['Example', 'example'],
  ['XPreserveUnknownFields', 'x-kubernetes-preserve-unknown-fields'],
  ['XValidations', 'x-kubernetes-validations'],
];
/** Keywords in the order of the Go type, which decides what is met first. */
const beforeType = ['id', '$schema', '$ref', 'description'];

/** The schema of a version, or the one that all versions share (validateCustomResourceDefinitionValidation, 1.36). */
export function validateVersionSchema(
  schema: VersionSchema | undefined,
  path: FieldPath,
  {
    hasStatus,
    version,
    options,
  }: { readonly hasStatus: boolean; readonly version: string; readonly options: SchemaOptions },
): FieldError[] {
  const props = schema?.openAPIV3Schema;
  if (props === undefined) return [];
  const at = path.child('openAPIV3Schema');
  const errors: FieldError[] = [];
  if (hasStatus) append(errors, validateRootWithStatus(props, path));
  if (props.nullable === true)
    errors.push(forbiddenValue(path.child('openAPIV3Schema.nullable'), 'nullable cannot be true at the root'));
  let session: RuleSession | undefined;
  let unreadable: string | undefined;
  if (options.requireStructural) {
    unreadable = structuralProblem(props);
    if (unreadable === undefined) {
      let problems = validateStructural(props, at, options.patternProblem);
      if (problems.length === 0)
        problems = validateDefaults(props, at, { requirePruned: options.requirePrunedDefaults, rules: options.rules });
      if (problems.length === 0) session = options.rules?.begin(props) ?? withoutRules;
      append(errors, problems);
    }
  }
  append(
    errors,
    validateOpenAPISchema(props, at, {
      requireValidType: options.requireValidType,
      requireAtomicSet: options.requireAtomicSet,
      requireMapKeys: options.requireMapKeys,
      session,
      unchanged: options.unchangedVersions.has(version),
      storedExpressions: options.storedExpressions,
    }),
  );
  // What the reader of structural schemas says is mostly said already.
  if (errors.length === 0 && unreadable !== undefined) errors.push(invalidValue(at, '', unreadable));
  if (session !== undefined) append(errors, session.finish(at));
  return errors;
}

/** A server that has no CEL refuses rules rather than leave them unchecked. */
const withoutRules: RuleSession = {
  check: ({ path }) => [
    internalFieldError(path.child('x-kubernetes-validations'), 'CEL rules are not supported by this server'),
  ],
  finish: () => [],
};

function validateRootWithStatus(props: JSONSchemaProps, path: FieldPath): FieldError[] {
  const keywords = [...Object.keys(props), ...emptiedFields(props)];
  const names = new Set(allowedAtRoot.map(([, keyword]) => keyword));
  const odd = keywords.filter((keyword) => !names.has(keyword));
  const refused = (): FieldError =>
    invalidValue(
      path.child('openAPIV3Schema'),
      internalSchema(props),
      `only [${allowedAtRoot.map(([name]) => name).join(' ')}] fields are allowed at the root of the schema ` +
        'if the status subresource is enabled',
    );
  if (odd.some((keyword) => beforeType.includes(keyword))) return [refused()];
  if ((props.type ?? '') !== '' && props.type !== 'object')
    return [
      invalidValue(
        path.child('openAPIV3Schema.type'),
        props.type,
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
      ),
    ];
  return odd.length > 0 ? [refused()] : [];
}
