import type { JSONSchemaProps } from './json-schema-props.ts';
import { additionalOf, hasDefault, itemsOf } from './json-schema-props.ts';

/** What some node of a schema, or of those below it, asks for; lets walks skip everything else. */
interface Needs {
  readonly defaults: boolean;
  readonly embedded: boolean;
  readonly listTypes: boolean;
}

const compiled = new WeakMap<JSONSchemaProps, ValueSchema>();
const needsOf = new WeakMap<JSONSchemaProps, Needs>();

/**
 * A CRD schema as walks over values need it: the structural part only (what lies under allOf, anyOf, oneOf and not
 * restricts values and shapes nothing; upstream `Structural`, apiserver/schema, 1.36). Nodes are made when first
 * walked, one per schema object, and are immutable.
 */
export class ValueSchema {
  readonly props: JSONSchemaProps;
  readonly nullable: boolean;
  readonly preserveUnknown: boolean;
  readonly embedded: boolean;
  /** Undefined where there is none. Copy it before it is set. */
  readonly default: unknown;
  readonly listType: string | undefined;
  readonly mapKeys: readonly string[];
  /** Keys that are no properties are allowed, whatever their values. */
  readonly isMap: boolean;
  readonly #asRoot: boolean;
  #properties: Map<string, ValueSchema> | undefined;
  #items: ValueSchema | undefined;
  #additional: ValueSchema | undefined;
  #needs: Needs | undefined;

  private constructor(props: JSONSchemaProps, asRoot: boolean) {
    this.props = props;
    this.nullable = props.nullable === true;
    this.preserveUnknown = props['x-kubernetes-preserve-unknown-fields'] === true;
    this.embedded = asRoot || props['x-kubernetes-embedded-resource'] === true;
    this.default = hasDefault(props) ? props.default : undefined;
    this.listType = props['x-kubernetes-list-type'];
    this.mapKeys = props['x-kubernetes-list-map-keys'] ?? [];
    this.isMap = props.additionalProperties !== undefined;
    this.#asRoot = asRoot;
  }

  static of(props: JSONSchemaProps): ValueSchema {
    let schema = compiled.get(props);
    if (schema === undefined) compiled.set(props, schema = new ValueSchema(props, false));
    return schema;
  }

  /** The same schema for a whole object, whose apiVersion, kind and metadata are implied. */
  asRoot(): ValueSchema {
    return this.#asRoot || this.embedded ? this : new ValueSchema(this.props, true);
  }

  /** By name; empty where the schema lists no properties. */
  get properties(): ReadonlyMap<string, ValueSchema> {
    if (this.#properties === undefined) {
      this.#properties = new Map(Object.entries(this.props.properties ?? {}).map(([name, props]) => [name, ValueSchema.of(props)]));
    }
    return this.#properties;
  }

  get items(): ValueSchema | undefined {
    if (this.#items === undefined) {
      const props = itemsOf(this.props);
      if (props !== undefined) this.#items = ValueSchema.of(props);
    }
    return this.#items;
  }

  /** Shape of values under keys that are no properties; undefined also for `additionalProperties: true`. */
  get additional(): ValueSchema | undefined {
    if (this.#additional === undefined) {
      const props = additionalOf(this.props);
      if (props !== undefined) this.#additional = ValueSchema.of(props);
    }
    return this.#additional;
  }

  /** The schema of the value under a key. */
  under(key: string): ValueSchema | undefined {
    return this.properties.get(key) ?? this.additional;
  }

  get needs(): Needs { return this.#needs ??= needs(this.props); }
}

function needs(props: JSONSchemaProps): Needs {
  let found = needsOf.get(props);
  if (found === undefined) {
    const own: Needs = {
      defaults: hasDefault(props),
      embedded: props['x-kubernetes-embedded-resource'] === true,
      listTypes: props['x-kubernetes-list-type'] === 'set' || props['x-kubernetes-list-type'] === 'map',
    };
    const below = [itemsOf(props), additionalOf(props), ...Object.values(props.properties ?? {})].flatMap((child) => (child === undefined ? [] : [needs(child)]));
    found = {
      defaults: own.defaults || below.some((child) => child.defaults),
      embedded: own.embedded || below.some((child) => child.embedded),
      listTypes: own.listTypes || below.some((child) => child.listTypes),
    };
    needsOf.set(props, found);
  }
  return found;
}
