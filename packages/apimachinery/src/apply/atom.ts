import { compareText } from '../errors/go-format.ts';
import type { JSONValue } from '../object/object.ts';
import type { AnySchema, Schema, ScalarSchema } from '../schema/schema.ts';
import type { FieldNode } from './field-set.ts';
import { elementKey } from './path-element.ts';
import type { PathElement } from './path-element.ts';

/**
 * What apply needs to know of a schema node: for each of the forms that a value may take (object, scalar, list) how
 * it merges. Most nodes allow one form; untyped ones allow all. Compiled once per schema node.
 */
export interface Atom {
  readonly map: MapAtom | undefined;
  readonly scalar: ScalarKind | undefined;
  readonly list: ListAtom | undefined;
}

/** What a scalar may be; `untyped` is any scalar. */
export type ScalarKind = 'numeric' | 'string' | 'boolean' | 'untyped';

export interface MapAtom {
  /** Owned and replaced as a whole. */
  readonly atomic: boolean;
  /** Declared fields; empty for maps. */
  readonly fields: ReadonlyMap<string, FieldAtom>;
  /** Fields that are there even when the object does not have them, because Go writes their zero value. */
  readonly zeroFields: readonly FieldAtom[];
  /** The form of keys that are not declared; `undefined` where those are not allowed. */
  readonly element: Atom | undefined;
  /** Deduced from the value: no declared fields, untyped elements. */
  readonly deduced: boolean;
}

export interface FieldAtom {
  readonly name: string;
  readonly element: PathElement;
  /** The element as a key of the wire form's JSON, with its colon. */
  readonly key: string;
  /** Place among the fields of its object, in the order of elements. */
  rank: number;
  readonly atom: Atom;
  /** Default, which stands in for a missing key of a list map's item. */
  readonly default: JSONValue | undefined;
  readonly zero: JSONValue | undefined;
  /** The node of the zero value in a set; see compare. Filled on first use. */
  zeroNode: FieldNode | undefined;
}

export interface ListAtom {
  readonly atomic: boolean;
  /** Keys of a list map, as declared; empty for sets. */
  readonly keys: readonly string[];
  /** The same, sorted: the order within path elements. */
  readonly sortedKeys: readonly string[];
  /** How the elements of a list with one key begin: `k:{"name":`. */
  readonly keyPrefix: string;
  readonly element: Atom;
}

class UntypedAtom implements Atom {
  readonly scalar = 'untyped';
  readonly #atomic: boolean;
  #map: MapAtom | undefined;
  #list: ListAtom | undefined;
  constructor(atomic: boolean) {
    this.#atomic = atomic;
  }
  get map(): MapAtom {
    return (this.#map ??= {
      atomic: this.#atomic,
      fields: new Map(),
      zeroFields: [],
      element: this,
      deduced: !this.#atomic,
    });
  }
  get list(): ListAtom {
    return (this.#list ??= { atomic: true, keys: [], sortedKeys: [], keyPrefix: '', element: untypedAtom });
  }
}

/** Anything, always as a whole. */
const untypedAtom: Atom = new UntypedAtom(true);
/** Anything, its objects merged key by key and its lists replaced: what is without a schema. */
export const deducedAtom: Atom = new UntypedAtom(false);

/**
 * Fields with omitempty that nevertheless default to the empty string, by definition. To a decoder that is nothing,
 * so the generated tables do not have it, but it identifies list items that leave the field out.
 */
const emptyByDefault = new Map([['io.k8s.api.core.v1.LocalObjectReference', new Map([['name', '']])]]);

const typed = new WeakMap<Schema, Atom>();
/** Nodes below an object that preserves unknown fields inherit that. */
const preserving = new WeakMap<Schema, Atom>();

/** The compiled form of a schema node; `preservesUnknown`: one around it keeps unknown fields. */
export function atomOf(schema: Schema, preservesUnknown = false): Atom {
  // Published without a type, which is anything, until the object is read.
  if (schema.kind === 'scalar') return schema.type === 'intOrString' ? deducedAtom : scalarAtom(scalarKind(schema));
  // A type of the server's own, the metadata of embedded resources, is referred to, and inherits nothing.
  const preserveUnknown = preservesUnknown && !(schema.kind === 'struct' && schema.name !== undefined);
  const cache = preserveUnknown ? preserving : typed;
  let atom = cache.get(schema);
  if (atom === undefined) {
    atom = new LazyAtom(schema, preserveUnknown);
    cache.set(schema, atom);
  }
  return atom;
}

const scalars = new Map<ScalarKind, Atom>();

/** Scalars of a kind are all alike, and most of a schema: one atom is enough for them. */
function scalarAtom(kind: ScalarKind): Atom {
  let atom = scalars.get(kind);
  if (atom === undefined) scalars.set(kind, (atom = { scalar: kind, map: undefined, list: undefined }));
  return atom;
}

/** Compiles on first use: schema graphs have cycles. */
class LazyAtom implements Atom {
  readonly #schema: Schema;
  readonly #preserveUnknown: boolean;
  readonly scalar: ScalarKind | undefined;
  #map: MapAtom | undefined;
  #list: ListAtom | undefined;

  constructor(schema: Schema, preserveUnknown: boolean) {
    this.#schema = schema;
    this.#preserveUnknown = preserveUnknown;
    this.scalar = (schema.kind === 'any' && !isFieldsV1(schema)) || isTypeless(schema) ? 'untyped' : undefined;
  }

  get map(): MapAtom | undefined {
    if (this.#map !== undefined) return this.#map;
    const schema = this.#schema;
    switch (schema.kind) {
      case 'struct': {
        const preserve = this.#preserveUnknown || schema.preserveUnknown === true;
        const fields = new Map<string, FieldAtom>();
        for (const field of schema.fields.values()) {
          fields.set(field.name, {
            name: field.name,
            element: `f:${field.name}`,
            key: elementKey(`f:${field.name}`),
            rank: 0,
            atom: atomOf(field.schema, preserve),
            zero: field.zero as JSONValue | undefined,
            zeroNode: undefined,
            // The reference's OpenAPI gives fields without omitempty their zero value as a default.
            default: (field.default ?? field.zero ?? emptyByDefault.get(schema.name ?? '')?.get(field.name)) as
              | JSONValue
              | undefined,
          });
        }
        for (const [rank, name] of [...fields.keys()].sort(compareText).entries())
          (fields.get(name) as FieldAtom).rank = rank;
        const element = preserve || fields.size === 0 ? deducedAtom : undefined;
        return (this.#map = {
          atomic: schema.mapType === 'atomic',
          fields,
          zeroFields: [...fields.values()].filter((field) => field.zero !== undefined),
          element,
          deduced: fields.size === 0,
        });
      }
      case 'map':
        return (this.#map = {
          atomic: schema.mapType === 'atomic',
          fields: new Map(),
          zeroFields: [],
          element: atomOf(schema.values, this.#preserveUnknown),
          deduced: false,
        });
      case 'any':
        return (this.#map = anyAtom(schema).map);
      case 'list':
      case 'scalar':
        return undefined;
      default:
        return schema satisfies never;
    }
  }

  get list(): ListAtom | undefined {
    if (this.#list !== undefined) return this.#list;
    const schema = this.#schema;
    if (schema.kind === 'any') return isFieldsV1(schema) ? undefined : (this.#list = anyAtom(schema).list);
    if (isTypeless(schema)) return (this.#list = untypedAtom.list);
    if (schema.kind !== 'list') return undefined;
    const keys = schema.listType === 'map' ? schema.mapKeys : [];
    return (this.#list = {
      atomic: schema.listType === 'atomic',
      keys,
      sortedKeys: keys.toSorted(compareText),
      keyPrefix: `k:{${JSON.stringify(keys[0] ?? '')}:`,
      element: atomOf(schema.items, this.#preserveUnknown),
    });
  }
}

function isTypeless(schema: Schema): boolean {
  return schema.kind === 'struct' && schema.typeless === true;
}

/** Published as an object, though Go keeps whatever it is given. */
function isFieldsV1(schema: AnySchema): boolean {
  return schema.fieldsV1 === true;
}

function anyAtom(schema: AnySchema): Atom {
  return schema.rawExtension === true || schema.mapType === 'atomic' ? untypedAtom : deducedAtom;
}

function scalarKind(schema: ScalarSchema): ScalarKind {
  switch (schema.type) {
    case 'string': {
      const format: unknown = schema.validation?.['format'];
      return typeof format === 'string' && format !== '' && format !== 'byte' ? 'untyped' : 'string';
    }
    case 'bytes':
    case 'duration':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'int32':
    case 'int64':
    case 'integer':
    case 'double':
    case 'number':
      return 'numeric';
    case 'time':
    case 'microTime':
    case 'quantity':
    case 'intOrString':
      return 'untyped';
    default:
      return schema.type satisfies never;
  }
}

/** The form that a value takes. Of null and of values that the atom does not allow, the first form that it has. */
export function formOf(atom: Atom, value: JSONValue): 'map' | 'scalar' | 'list' {
  if (typeof value !== 'object') {
    if (atom.scalar !== undefined) return 'scalar';
  } else if (Array.isArray(value)) {
    if (atom.list !== undefined) return 'list';
  } else if (value !== null && atom.map !== undefined) return 'map';
  return atom.map !== undefined ? 'map' : atom.scalar !== undefined ? 'scalar' : 'list';
}
