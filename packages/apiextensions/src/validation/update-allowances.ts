import type { JSONSchemaProps } from '../schema/json-schema-props.ts';
import { itemsOf } from '../schema/json-schema-props.ts';
import { structuralProblem } from '../schema/structural-problem.ts';
import { forEachSchema, schemaHas } from '../schema/walk.ts';
import { FieldPath } from '@kubechain/apimachinery';
import { hasKnownReview, validateCABundle } from './conversion.ts';
import { hasUnprunedDefaults } from './defaults.ts';
import { equal, schemaOfVersion } from './internal-spec.ts';
import type { InternalSpec } from './internal-spec.ts';
import { isNonAtomic, validateMapKeys } from './schema-lists.ts';
import { validateStructural } from './structural.ts';
import type { SchemaChecks, SchemaOptions } from './version-schema.ts';
import { hasTooManySelectableFields } from './columns.ts';

const types = new Set(['array', 'boolean', 'integer', 'number', 'object', 'string']);

/** What an update is excused from, since the stored CRD was already like that; nothing on create. */
export interface Allowances {
  readonly schema: SchemaOptions;
  readonly requireKnownReview: boolean;
  readonly allowInvalidCABundle: boolean;
  /** Versions, or the empty name for all, that may keep more selectable fields than are allowed today. */
  readonly tooManySelectable: ReadonlySet<string>;
}

/** The rules for a new CRD. */
export function strictest(checks: SchemaChecks): Allowances {
  return {
    schema: {
      requireSchema: true,
      requireValidType: true,
      requireStructural: true,
      requirePrunedDefaults: true,
      requireAtomicSet: true,
      requireMapKeys: true,
      storedExpressions: new Set(),
      unchangedVersions: new Set(),
      ...checks,
    },
    requireKnownReview: true,
    // A CRD that is not established has never been converted.
    allowInvalidCABundle: true,
    tooManySelectable: new Set(),
  };
}

/** The rules for an update (ValidateCustomResourceDefinitionUpdate, 1.36). */
export function allowancesOf(
  spec: InternalSpec,
  old: InternalSpec,
  { established, ...checks }: SchemaChecks & { readonly established: boolean },
): Allowances {
  const schemas = schemasIn(old);
  const caBundle = old.conversion?.webhook?.clientConfig?.caBundle ?? '';
  const reviews = old.conversion?.webhook?.conversionReviewVersions ?? [];
  const isStructural = (schema: JSONSchemaProps): boolean =>
    structuralProblem(schema) === undefined &&
    validateStructural(schema, FieldPath.root, checks.patternProblem).length === 0;
  const structural = schemas.filter(isStructural);
  const some = (is: (schema: JSONSchemaProps) => boolean): boolean => schemas.some((schema) => schemaHas(schema, is));
  return {
    schema: {
      requireSchema:
        old.validation?.openAPIV3Schema !== undefined ||
        old.versions.every((version) => version.schema?.openAPIV3Schema !== undefined),
      requireValidType: !some((schema) => (schema.type ?? '') !== '' && !types.has(schema.type ?? '')),
      requireStructural: structural.length === schemas.length,
      requirePrunedDefaults: !structural.some((schema) => hasUnprunedDefaults(schema)),
      requireAtomicSet: !some(
        (schema) => schema['x-kubernetes-list-type'] === 'set' && isNonAtomic(itemsOf(schema) ?? {}),
      ),
      requireMapKeys: !some((schema) => validateMapKeys(schema, FieldPath.root).length > 0),
      storedExpressions: expressionsIn(schemas),
      unchangedVersions: new Set(
        spec.versions
          .map(({ name }) => name)
          .filter(
            (name) =>
              old.versions.some((version) => version.name === name) &&
              equal(schemaOfVersion(spec, name), schemaOfVersion(old, name)),
          ),
      ),
      ...checks,
    },
    requireKnownReview: old.conversion === undefined || reviews.length === 0 || hasKnownReview(reviews),
    allowInvalidCABundle: !established || (caBundle !== '' && validateCABundle(caBundle, FieldPath.root).length > 0),
    tooManySelectable: tooManySelectable(spec, old),
  };
}

export function schemasIn(spec: InternalSpec): readonly JSONSchemaProps[] {
  return [spec.validation, ...spec.versions.map((version) => version.schema)].flatMap((schema) =>
    schema?.openAPIV3Schema === undefined ? [] : [schema.openAPIV3Schema],
  );
}

function expressionsIn(schemas: readonly JSONSchemaProps[]): ReadonlySet<string> {
  const expressions = new Set<string>();
  for (const root of schemas) {
    forEachSchema(root, (schema) => {
      for (const { rule, messageExpression = '' } of schema['x-kubernetes-validations'] ?? []) {
        expressions.add(rule);
        if (messageExpression !== '') expressions.add(messageExpression);
      }
    });
  }
  return expressions;
}

function tooManySelectable(spec: InternalSpec, old: InternalSpec): ReadonlySet<string> {
  const allowed = new Set<string>();
  if (hasTooManySelectableFields(old.selectableFields) && equal(spec.selectableFields, old.selectableFields))
    allowed.add('');
  for (const version of spec.versions) {
    const before = old.versions.find(({ name }) => name === version.name)?.selectableFields ?? [];
    if (hasTooManySelectableFields(before) && equal(version.selectableFields, before)) allowed.add(version.name);
  }
  return allowed;
}
