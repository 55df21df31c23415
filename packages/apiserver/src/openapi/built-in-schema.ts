import { meta } from './meta-definitions.ts';
import { builtinRelease, isPlainObject, UnknownDefinitionError } from '@kubechain/apimachinery';
import type { Field, ListSchema, Release, ScalarSchema, Schema } from '@kubechain/apimachinery';
import extras from './generated/schema-extras.json' with { type: 'json' };
import { groupVersionKindsOf } from './group-version-kinds.ts';
import type { OpenAPISchema } from './open-api-schema.ts';
import { sorted, v3Prefix } from './open-api-schema.ts';
import { inOrder } from './schema-order.ts';

type Extras = ReadonlyMap<string, Readonly<Record<string, unknown>>>;
const extrasByRelease = new WeakMap<Release, Extras>();

function extrasOf(release: Release): Extras {
  let found = extrasByRelease.get(release);
  if (found === undefined)
    extrasByRelease.set(
      release,
      (found = new Map(release.table('schemaExtras', Object.entries<object>(extras))) as Extras),
    );
  return found;
}

/** Texts of one definition; what is unknown has none. */
export interface DefinitionDescriptions {
  readonly description?: string;
  readonly fields: ReadonlyMap<string, string>;
}

/** Where descriptions of built-in types come from. */
export interface DescriptionSource {
  definition(name: string): DefinitionDescriptions | undefined;
  /** Of a query parameter, by its name and the options kind that it is a member of. */
  parameter(name: string, definition?: string): string | undefined;
}

const apiextensions = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.';

/** Definitions that are no structs of the schema table: Go types that write their own JSON. */
const leaves: ReadonlyMap<string, OpenAPISchema> = new Map<string, OpenAPISchema>([
  [`${meta}Time`, { type: 'string', format: 'date-time' }],
  [`${meta}MicroTime`, { type: 'string', format: 'date-time' }],
  [`${meta}FieldsV1`, { type: 'object' }],
  [`${meta}Patch`, { type: 'object' }],
  [`${meta}Duration`, { type: 'string' }],
  ['io.k8s.apimachinery.pkg.api.resource.Quantity', { oneOf: [{ type: 'string' }, { type: 'number' }] }],
  [
    'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
    { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  ],
  ['io.k8s.apimachinery.pkg.runtime.RawExtension', { type: 'object' }],
  [`${apiextensions}JSON`, {}],
  [`${apiextensions}JSONSchemaPropsOrArray`, {}],
  [`${apiextensions}JSONSchemaPropsOrBool`, {}],
  [`${apiextensions}JSONSchemaPropsOrStringArray`, {}],
]);

/**
 * The version 3 schema of a built-in definition (kube-openapi's generated definitions), made anew on each call.
 *
 * @throws UnknownDefinitionError when no table has it
 */
export function builtInSchema(
  definition: string,
  descriptions: DescriptionSource,
  release: Release = builtinRelease,
): OpenAPISchema {
  const extra = extrasOf(release).get(definition);
  const schema = tableSchema(definition, descriptions, release);
  if (extra !== undefined && schema.properties !== undefined) mergeExtras(schema.properties, extra);
  return inOrder(schema);
}

/** Whether a definition of that name is built in. */
export function isBuiltInDefinition(definition: string, release: Release): boolean {
  if (!definition.startsWith('io.k8s.')) return false;
  if (leaves.has(definition)) return true;
  try {
    release.schemaFor(definition);
    return true;
  } catch (error) {
    if (error instanceof UnknownDefinitionError) return false;
    throw error;
  }
}

/** What the schema table says, without what is published otherwise than Go has it. */
export function tableSchema(
  definition: string,
  descriptions: DescriptionSource,
  release: Release = builtinRelease,
): OpenAPISchema {
  const texts = descriptions.definition(definition);
  const leaf = leaves.get(definition);
  if (leaf !== undefined)
    return { ...(texts?.description === undefined ? {} : { description: texts.description }), ...leaf };
  const schema = release.schemaFor(definition);
  const out: OpenAPISchema = {};
  if (texts?.description !== undefined) out.description = texts.description;
  out.type = 'object';
  if (schema.kind !== 'struct') return out;
  const fields = [...schema.fields.values()];
  const required = fields.filter((field) => field.required).map((field) => field.name);
  if (required.length > 0) out.required = required;
  const kinds = groupVersionKindsOf(definition, release);
  const itemDefaults = !release.since('1.36');
  const ofList = kinds.length > 0 && definition.endsWith('List');
  if (fields.length > 0)
    out.properties = sorted(
      fields.map((field) => [
        field.name,
        fieldSchema(field, {
          description: texts?.fields.get(field.name),
          documented: texts === undefined ? definition !== `${apiextensions}JSONSchemaProps` : undefined,
          ofList,
          itemDefaults,
        }),
      ]),
    );
  if (kinds.length > 0) out['x-kubernetes-group-version-kind'] = kinds;
  if (schema.mapType === 'atomic') out['x-kubernetes-map-type'] = 'atomic';
  if (schema.unions !== undefined) {
    out['x-kubernetes-unions'] = schema.unions.map((union) =>
      sorted(
        Object.entries<unknown>({
          ...(union.discriminator === undefined ? {} : { discriminator: union.discriminator }),
          ...(Object.keys(union.fields).length === 0
            ? {}
            : { 'fields-to-discriminateBy': sorted(Object.entries(union.fields)) }),
        }),
      ),
    );
  }
  return out;
}

/** Applies a merge patch: null takes a member away. */
function mergeExtras(target: Record<string, unknown>, patch: Readonly<Record<string, unknown>>): void {
  for (const [key, value] of Object.entries(patch)) {
    const current = target[key];
    if (value === null) delete target[key];
    else if (isPlainObject(value) && isPlainObject(current)) mergeExtras(current, value);
    else target[key] = value;
  }
}

/** `documented`: whether the field has a text, where the text itself is not known. */
interface FieldText {
  readonly description: string | undefined;
  readonly documented: boolean | undefined;
  readonly ofList: boolean;
  /** Whether items and values have defaults, which they had before 1.36. */
  readonly itemDefaults: boolean;
}

function fieldSchema(
  field: Field,
  { description, documented = description !== undefined, itemDefaults, ofList }: FieldText,
): OpenAPISchema {
  const extensions: OpenAPISchema = {};
  if (field.schema.kind === 'list' && field.schema.listType === 'map')
    extensions['x-kubernetes-list-map-keys'] = field.schema.mapKeys;
  const listType = listTypeOf(field.schema);
  // Items of kinds' lists have no list type.
  if (!(ofList && field.name === 'items') && listType !== undefined) extensions['x-kubernetes-list-type'] = listType;
  if (isAtomicHere(field.schema)) extensions['x-kubernetes-map-type'] = 'atomic';
  if (field.patchMergeKey !== undefined) extensions['x-kubernetes-patch-merge-key'] = field.patchMergeKey;
  if (field.patchStrategy !== undefined) extensions['x-kubernetes-patch-strategy'] = field.patchStrategy.join(',');
  const fallback = field.default ?? zeroDefault(field);
  const reference = referenceOf(field.schema);
  const text = description === undefined ? {} : { description };
  if (reference === undefined) return { ...text, ...inline(field.schema, fallback, itemDefaults), ...extensions };
  const bare = { $ref: v3Prefix + reference };
  // A reference has no siblings in version 3: what goes with it stands around an allOf.
  if (!documented && fallback === undefined && Object.keys(extensions).length === 0) return bare;
  return { ...text, ...(fallback === undefined ? {} : { default: fallback }), allOf: [bare], ...extensions };
}

/** Defaults that openapi-gen gives to fields that Go always writes. */
function zeroDefault(field: Field): unknown {
  if (field.zero === undefined || field.pointer === true) return undefined;
  const { schema } = field;
  switch (schema.kind) {
    case 'struct':
      return {};
    case 'scalar':
      return ['string', 'boolean', 'int32', 'int64', 'double', 'integer', 'number'].includes(schema.type)
        ? field.zero
        : undefined;
    case 'map':
    case 'list':
    case 'any':
      return undefined;
  }
  return schema satisfies never;
}

function listTypeOf(schema: Schema): ListSchema['listType'] | undefined {
  return schema.kind === 'list' ? schema.listType : undefined;
}

function isAtomicHere(schema: Schema): boolean {
  return (schema.kind === 'map' || schema.kind === 'any') && schema.mapType === 'atomic';
}

/** The definition that a node refers to; undefined for what is written in place. */
function referenceOf(schema: Schema): string | undefined {
  switch (schema.kind) {
    case 'struct':
      return schema.name;
    case 'any':
      return schema.rawExtension === true
        ? 'io.k8s.apimachinery.pkg.runtime.RawExtension'
        : schema.fieldsV1 === true
          ? `${meta}FieldsV1`
          : schema.variant !== undefined
            ? apiextensions + schema.variant.name
            : `${apiextensions}JSON`;
    case 'scalar':
      return scalarReference(schema);
    case 'list':
    case 'map':
      return undefined;
  }
  return schema satisfies never;
}

function scalarReference({ type }: ScalarSchema): string | undefined {
  switch (type) {
    case 'time':
      return `${meta}Time`;
    case 'microTime':
      return `${meta}MicroTime`;
    case 'duration':
      return `${meta}Duration`;
    case 'quantity':
      return 'io.k8s.apimachinery.pkg.api.resource.Quantity';
    case 'intOrString':
      return 'io.k8s.apimachinery.pkg.util.intstr.IntOrString';
    case 'string':
    case 'boolean':
    case 'int32':
    case 'int64':
    case 'integer':
    case 'double':
    case 'number':
    case 'bytes':
      return undefined;
  }
  return type satisfies never;
}

function inline(schema: Schema, fallback: unknown, itemDefaults: boolean): OpenAPISchema {
  const withDefault = fallback === undefined ? {} : { default: fallback };
  switch (schema.kind) {
    case 'list':
      return { type: 'array', ...withDefault, items: itemSchema(schema.items, itemDefaults) };
    case 'map':
      return { type: 'object', ...withDefault, additionalProperties: itemSchema(schema.values, itemDefaults) };
    case 'scalar':
      return { ...scalar(schema), ...withDefault, ...(schema.enum === undefined ? {} : { enum: schema.enum }) };
    case 'struct':
    case 'any':
      return withDefault;
  }
  return schema satisfies never;
}

/** Before 1.36, items and values carried the default that openapi-gen gives to what Go cannot leave out. */
function itemSchema(schema: Schema, defaults: boolean): OpenAPISchema {
  const reference = referenceOf(schema);
  if (reference === undefined) return inline(schema, defaults ? zeroOf(schema) : undefined, defaults);
  const bare = { $ref: v3Prefix + reference };
  return defaults && schema.kind === 'struct' ? { default: {}, allOf: [bare] } : bare;
}

function zeroOf(schema: Schema): string | number | boolean | undefined {
  if (schema.kind !== 'scalar') return undefined;
  const { format, type } = scalar(schema);
  if (type === 'string') return format === undefined ? '' : undefined;
  return type === 'boolean' ? false : type === undefined ? undefined : 0;
}

function scalar({ type }: ScalarSchema): OpenAPISchema {
  switch (type) {
    case 'string':
      return { type: 'string' };
    case 'boolean':
      return { type: 'boolean' };
    case 'int32':
    case 'int64':
      return { type: 'integer', format: type };
    case 'integer':
      return { type: 'integer' };
    case 'double':
      return { type: 'number', format: 'double' };
    case 'number':
      return { type: 'number' };
    case 'bytes':
      return { type: 'string', format: 'byte' };
    case 'time':
    case 'microTime':
    case 'duration':
    case 'quantity':
    case 'intOrString':
      return {};
  }
  return type satisfies never;
}
