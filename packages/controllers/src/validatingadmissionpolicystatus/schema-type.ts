import {
  boolType,
  dynType,
  escapeName,
  intType,
  listOf,
  mapOf,
  objectOf,
  simpleType,
  stringType,
  type CelType,
} from '@kubechain/cel';

/** The parts of an OpenAPI v3 schema that types are made of. */
export interface OpenAPISchema {
  readonly $ref?: string;
  readonly allOf?: readonly OpenAPISchema[];
  readonly type?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, OpenAPISchema>>;
  readonly additionalProperties?: boolean | OpenAPISchema;
  readonly items?: OpenAPISchema;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-group-version-kind'?: readonly {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
  }[];
}

const text: OpenAPISchema = { type: 'string' };
const objectMeta: OpenAPISchema = { type: 'object', properties: { name: text, generateName: text } };
const formats: Readonly<Record<string, CelType>> = {
  byte: simpleType('bytes'),
  duration: simpleType('duration'),
  date: simpleType('timestamp'),
  'date-time': simpleType('timestamp'),
};

/**
 * Types of schemas of one document (apiserver/cel/common SchemaDeclType, 1.36): references are followed, one that leads
 * back to itself is an object without fields.
 */
export class SchemaTypes {
  readonly #schemas: Readonly<Record<string, OpenAPISchema>>;
  #count = 0;

  constructor(schemas: Readonly<Record<string, OpenAPISchema>>) {
    this.#schemas = schemas;
  }

  /** The type of a whole object; undefined where its schema says nothing. */
  typeOf(name: string, kind: string): CelType | undefined {
    const schema = this.#schemas[name];
    return schema === undefined ? undefined : this.#of(schema, { path: new Set([name]), root: true, kind });
  }

  #of(
    given: OpenAPISchema,
    at: { readonly path: ReadonlySet<string>; readonly root: boolean; readonly kind: string },
  ): CelType | undefined {
    const name = referenceOf(given);
    if (name !== undefined && at.path.has(name)) return objectOf(this.#newName(at.kind), new Map());
    const schema = name === undefined ? given : this.#schemas[name];
    if (schema === undefined) return undefined;
    const path = name === undefined ? at.path : new Set([...at.path, name]);
    const inner = (part: OpenAPISchema): CelType | undefined =>
      this.#of(part, { path, root: part['x-kubernetes-embedded-resource'] === true, kind: at.kind });
    if (schema['x-kubernetes-int-or-string'] === true || schema.format === 'int-or-string') return dynType;
    switch (schema.type) {
      case 'array': {
        const item = schema.items === undefined ? undefined : inner(schema.items);
        return item === undefined ? undefined : listOf(item);
      }
      case 'object': {
        if (typeof schema.additionalProperties === 'object') {
          const value = inner(schema.additionalProperties);
          return value === undefined ? undefined : mapOf(stringType, value);
        }
        const fields = new Map<string, CelType>();
        for (const [property, part] of Object.entries(propertiesOf(schema, at.root))) {
          const type = inner(part);
          const escaped = type === undefined ? undefined : escapeName(property);
          if (type !== undefined && escaped !== undefined) fields.set(escaped, type);
        }
        return objectOf(this.#newName(at.kind), fields);
      }
      case 'string':
        return formats[schema.format ?? ''] ?? stringType;
      case 'boolean':
        return boolType;
      case 'number':
        return simpleType('double');
      case 'integer':
        return intType;
      default:
        return undefined;
    }
  }

  #newName(kind: string): string {
    return `${kind}${++this.#count}`;
  }
}

/** A reference may stand in allOf, to have a description beside it. */
function referenceOf({ $ref, allOf = [] }: OpenAPISchema): string | undefined {
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1);
  for (const part of allOf) {
    const name = referenceOf(part);
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Every object has a kind, an apiVersion and a name. */
function propertiesOf({ properties = {} }: OpenAPISchema, root: boolean): Readonly<Record<string, OpenAPISchema>> {
  if (!root) return properties;
  const { apiVersion = text, kind = text, metadata = objectMeta } = properties;
  const described = referenceOf(metadata) !== undefined || metadata.properties?.['name'] !== undefined;
  return { ...properties, apiVersion, kind, metadata: described ? metadata : objectMeta };
}
