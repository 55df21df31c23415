import type { JSONSchemaProps } from './json-schema-props.ts';
import { additionalOf, hasDefault, itemsOf, propertyOf } from './json-schema-props.ts';

/** What some node of a schema, or of those below it, asks for; lets walks skip everything else. */
interface Needs {
  readonly defaults: boolean;
  readonly embedded: boolean;
  readonly listTypes: boolean;
}

const compiled = new WeakMap<JSONSchemaProps, ValueSchema>();
const none: readonly string[] = [];
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
  #defaulted: readonly (readonly [name: string, schema: ValueSchema])[] | undefined;
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
    this.mapKeys = props['x-kubernetes-list-map-keys'] ?? none;
    this.isMap = props.additionalProperties !== undefined;
    this.#asRoot = asRoot;
  }

  static of(props: JSONSchemaProps): ValueSchema {
    let schema = compiled.get(props);
    if (schema === undefined) compiled.set(props, (schema = new ValueSchema(props, false)));
    return schema;
  }

  /** The same schema for a whole object, whose apiVersion, kind and metadata are implied. */
  asRoot(): ValueSchema {
    return this.#asRoot || this.embedded ? this : new ValueSchema(this.props, true);
  }

  /** The schema of a property; undefined where the schema lists none of that name. */
  property(name: string): ValueSchema | undefined {
    const known = this.#properties?.get(name);
    if (known !== undefined) return known;
    const props = propertyOf(this.props, name);
    if (props === undefined) return undefined;
    const schema = ValueSchema.of(props);
    (this.#properties ??= new Map()).set(name, schema);
    return schema;
  }

  /** The properties that have a default. */
  get defaulted(): readonly (readonly [name: string, schema: ValueSchema])[] {
    return (this.#defaulted ??= Object.entries(this.props.properties ?? {})
      .filter(([, props]) => hasDefault(props))
      .map(([name, props]) => [name, ValueSchema.of(props)]));
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
    return this.property(key) ?? this.additional;
  }

  get needs(): Needs {
    return (this.#needs ??= needs(this.props));
  }
}

function needs(props: JSONSchemaProps): Needs {
  let found = needsOf.get(props);
  if (found === undefined) {
    const children = [itemsOf(props), additionalOf(props), ...Object.values(props.properties ?? {})].filter(
      (child) => child !== undefined,
    );
    const below = children.map(needs);
    const listType = props['x-kubernetes-list-type'];
    found = shared(
      hasDefault(props) || below.some((child) => child.defaults),
      props['x-kubernetes-embedded-resource'] === true || below.some((child) => child.embedded),
      listType === 'set' || listType === 'map' || below.some((child) => child.listTypes),
    );
    // Leaves, most of a schema, are read again as fast as they are looked up.
    if (children.length > 0) needsOf.set(props, found);
  }
  return found;
}

const combinations: readonly Needs[] = Array.from({ length: 8 }, (_, bits) => ({
  defaults: (bits & 1) !== 0,
  embedded: (bits & 2) !== 0,
  listTypes: (bits & 4) !== 0,
}));

function shared(defaults: boolean, embedded: boolean, listTypes: boolean): Needs {
  return combinations[Number(defaults) + 2 * Number(embedded) + 4 * Number(listTypes)]!;
}
