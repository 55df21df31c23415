import { compareText, printed, sortedForm } from '@kubechain/apimachinery';
import type { JSONSchemaProps, ValidationRule } from '../schema/json-schema-props.ts';
import type { InternalVersion, PrinterColumn, Subresources, VersionSchema } from './internal-spec.ts';

/*
 * Values of error texts are the reference's internal Go structs printed as JSON: all fields, in Go's order and by Go's
 * names (pkg/apis/apiextensions/types.go, 1.36).
 */

/** A CEL rule in an error text. */
export function internalRule(rule: ValidationRule): object {
  return {
    Rule: (rule.rule as string | undefined) ?? '',
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
}

/** `spec.versions` in an error text. */
export function internalVersions(versions: readonly InternalVersion[] | null): readonly object[] | null {
  if (versions === null) return null;
  return versions.map((version) => ({
    Name: version.name,
    Served: version.served,
    Storage: version.storage,
    Deprecated: version.deprecated,
    DeprecationWarning: version.deprecationWarning ?? null,
    Schema: version.schema === undefined ? null : internalValidation(version.schema),
    Subresources: version.subresources === undefined ? null : internalSubresources(version.subresources),
    AdditionalPrinterColumns: version.additionalPrinterColumns?.map(internalColumn) ?? null,
    SelectableFields: version.selectableFields?.map(({ jsonPath }) => ({ JSONPath: jsonPath ?? '' })) ?? null,
  }));
}

function internalValidation(schema: VersionSchema): object {
  return { OpenAPIV3Schema: schema.openAPIV3Schema === undefined ? null : internalSchema(schema.openAPIV3Schema) };
}

function internalSubresources({ status, scale }: Subresources): object {
  return {
    Status: status === undefined ? null : {},
    Scale:
      scale === undefined
        ? null
        : {
            SpecReplicasPath: scale.specReplicasPath ?? '',
            StatusReplicasPath: scale.statusReplicasPath ?? '',
            LabelSelectorPath: scale.labelSelectorPath ?? null,
          },
  };
}

function internalColumn(column: Partial<PrinterColumn>): object {
  return {
    Name: column.name ?? '',
    Type: column.type ?? '',
    Format: column.format ?? '',
    Description: column.description ?? '',
    Priority: column.priority ?? 0,
    JSONPath: column.jsonPath ?? '',
  };
}

/** A schema in an error text. */
export function internalSchema(props: JSONSchemaProps): object {
  return {
    ID: props.id ?? '',
    Schema: props.$schema ?? '',
    Ref: props.$ref ?? null,
    Description: props.description ?? '',
    Type: props.type ?? '',
    Nullable: props.nullable ?? false,
    Format: props.format ?? '',
    Title: props.title ?? '',
    Default: sortedForm(props.default ?? null),
    Maximum: props.maximum ?? null,
    ExclusiveMaximum: props.exclusiveMaximum ?? false,
    Minimum: props.minimum ?? null,
    ExclusiveMinimum: props.exclusiveMinimum ?? false,
    MaxLength: props.maxLength ?? null,
    MinLength: props.minLength ?? null,
    Pattern: props.pattern ?? '',
    MaxItems: props.maxItems ?? null,
    MinItems: props.minItems ?? null,
    UniqueItems: props.uniqueItems ?? false,
    MultipleOf: props.multipleOf ?? null,
    Enum: sortedForm(printed(props, 'enum')),
    MaxProperties: props.maxProperties ?? null,
    MinProperties: props.minProperties ?? null,
    Required: printed(props, 'required'),
    Items: itemsForm(props.items),
    AllOf: printed(props, 'allOf')?.map(internalSchema) ?? null,
    OneOf: printed(props, 'oneOf')?.map(internalSchema) ?? null,
    AnyOf: printed(props, 'anyOf')?.map(internalSchema) ?? null,
    Not: props.not === undefined ? null : internalSchema(props.not),
    Properties: mapForm(printed(props, 'properties')),
    AdditionalProperties: orBool(props.additionalProperties),
    PatternProperties: mapForm(printed(props, 'patternProperties')),
    Dependencies: dependenciesForm(printed(props, 'dependencies')),
    AdditionalItems: orBool(props.additionalItems),
    Definitions: mapForm(printed(props, 'definitions')),
    ExternalDocs:
      props.externalDocs === undefined
        ? null
        : { Description: props.externalDocs.description ?? '', URL: props.externalDocs.url ?? '' },
    Example: sortedForm(props.example ?? null),
    XPreserveUnknownFields: props['x-kubernetes-preserve-unknown-fields'] ?? null,
    XEmbeddedResource: props['x-kubernetes-embedded-resource'] ?? false,
    XIntOrString: props['x-kubernetes-int-or-string'] ?? false,
    XListMapKeys: printed(props, 'x-kubernetes-list-map-keys'),
    XListType: props['x-kubernetes-list-type'] ?? null,
    XMapType: props['x-kubernetes-map-type'] ?? null,
    XValidations: printed(props, 'x-kubernetes-validations')?.map(internalRule) ?? null,
  };
}

/** `items` in an error text. */
export function itemsForm(items: JSONSchemaProps['items']): object | null {
  if (items === undefined) return null;
  if (items === null) return { Schema: null, JSONSchemas: null };
  return Array.isArray(items)
    ? { Schema: null, JSONSchemas: (items as readonly JSONSchemaProps[]).map(internalSchema) }
    : { Schema: internalSchema(items), JSONSchemas: null };
}

function mapForm(schemas: Readonly<Record<string, JSONSchemaProps>> | null): object | null {
  if (schemas === null) return null;
  return Object.fromEntries(
    Object.entries(schemas)
      .sort(([a], [b]) => compareText(a, b))
      .map(([name, schema]) => [name, internalSchema(schema)]),
  );
}

function orBool(value: boolean | JSONSchemaProps | undefined): object | null {
  if (value === undefined) return null;
  return typeof value === 'boolean' ? { Allows: value, Schema: null } : { Allows: true, Schema: internalSchema(value) };
}

function dependenciesForm(dependencies: NonNullable<JSONSchemaProps['dependencies']> | null): object | null {
  if (dependencies === null) return null;
  return Object.fromEntries(
    Object.entries(dependencies)
      .sort(([a], [b]) => compareText(a, b))
      .map(([name, value]) => [
        name,
        Array.isArray(value)
          ? { Schema: null, Property: value }
          : { Schema: value === null ? null : internalSchema(value as JSONSchemaProps), Property: null },
      ]),
  );
}
