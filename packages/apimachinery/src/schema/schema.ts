/**
 * The one structural schema per kind. Everything that needs to know the shape of an object walks this
 * form: decoding, pruning, strict checks, defaulting, field sets, strategic merge, OpenAPI, protobuf.
 *
 * Built-in kinds get theirs from generated tables, custom resources from their CRD. A schema is a graph
 * (JSONSchemaProps refers to itself), immutable once built, and shared: consumers may key WeakMaps on its
 * nodes to cache what they compile from them.
 */
export type Schema = StructSchema | MapSchema | ListSchema | ScalarSchema | AnySchema;

/** What all nodes can carry. */
export interface SchemaCommon {
  /** `null` is a value of its own here (CRD `nullable`); elsewhere null means absent, as Go decodes it. */
  readonly nullable?: boolean;
  /**
   * Value validations of a CRD schema as written (minimum, pattern, enum, anyOf, x-kubernetes-validations, …); compiled
   * by packages/apiextensions.
   */
  readonly validation?: Readonly<Record<string, unknown>>;
  /** Go type for decode errors where it is not the plain one, e.g. `v1.Container`, `v1.Protocol`, `v1.ResourceList`. */
  readonly goType?: string;
}

/** An object with known fields (Go struct, or CRD object with `properties`). */
export interface StructSchema extends SchemaCommon {
  readonly kind: 'struct';
  /** Definition name, e.g. `io.k8s.api.core.v1.Container`; absent for inline CRD structs. */
  readonly name?: string;
  /** In Go field order where known; that is the order of encoding. */
  readonly fields: ReadonlyMap<string, Field>;
  /** `atomic`: owned and replaced as a whole by apply. */
  readonly mapType: 'granular' | 'atomic';
  /** CRD x-kubernetes-preserve-unknown-fields next to properties: unknown fields are kept. */
  readonly preserveUnknown?: boolean;
  /** CRD properties without a type: values that are no objects are allowed, too. */
  readonly typeless?: boolean;
  /** CRD x-kubernetes-embedded-resource: apiVersion, kind and metadata are implied. */
  readonly embeddedResource?: boolean;
  /** Union discriminators as the reference lists them (x-kubernetes-unions). */
  readonly unions?: readonly { readonly discriminator?: string; readonly fields: Readonly<Record<string, string>> }[];
  /** Full protobuf message name, e.g. `k8s.io.api.core.v1.Container`; absent where the type has no wire form. */
  readonly protobufMessage?: string;
  /** Go structs embedded in this one: JSON flattens their fields into `fields`, protobuf nests them. */
  readonly embeds?: readonly Embed[];
}

/** A Go struct embedded in another (`Volume` embeds `VolumeSource`). */
export interface Embed {
  /** Go name, which decode errors show in field paths. */
  readonly name: string;
  readonly schema: StructSchema;
  /** Protobuf field number; absent for TypeMeta, which protobuf leaves to the envelope. */
  readonly number?: number;
  readonly pointer?: boolean;
}

/** One member of a struct. */
export interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  /** Default applied when the field is absent; a fresh copy is set each time. */
  readonly default?: unknown;
  /** Value that Go's encoder writes when the field is unset because it has no omitempty (`""`, `{}`, `0`, `null`). */
  readonly zero?: unknown;
  /** Strategic merge (built-ins only). */
  readonly patchStrategy?: readonly ('merge' | 'replace' | 'retainKeys')[];
  readonly patchMergeKey?: string;
  /** Protobuf field number; absent where the message has none. */
  readonly number?: number;
  /** Go pointer: a set zero value is kept, and protobuf writes the field only when it is set. */
  readonly pointer?: boolean;
  /** Go omitempty or omitzero without a pointer: `""`, `0`, `false`, `[]` and `{}` count as absent. */
  readonly omitEmpty?: boolean;
  /** The embedded struct that the field comes from. */
  readonly embedded?: Embed;
  /** Names of the embedded structs on the way where there are several (`RuleWithOperations.Rule`). */
  readonly goPath?: string;
}

/** String keys to values of one shape (Go map, CRD `additionalProperties`). */
export interface MapSchema extends SchemaCommon {
  readonly kind: 'map';
  readonly values: Schema;
  /** Go type of the keys where it is not `string`. */
  readonly keyGoType?: string;
  readonly mapType: 'granular' | 'atomic';
}

/** A JSON array, with how it is merged. */
export interface ListSchema extends SchemaCommon {
  readonly kind: 'list';
  readonly items: Schema;
  readonly listType: 'atomic' | 'set' | 'map';
  /** Field names that identify an item; empty unless listType is `map`. */
  readonly mapKeys: readonly string[];
  /** Protobuf puts the items into a message of their own, as field 1 (Verbs, ExtraValue). */
  readonly protobufWrapped?: boolean;
}

/** A text, number or boolean. */
export interface ScalarSchema extends SchemaCommon {
  readonly kind: 'scalar';
  /**
   * `int32`, `int64`, `double`: numbers (int64 beyond 2^53 is bigint); `bytes`: base64 text; `time` and
   * `microTime`: RFC 3339 text; `duration`: Go duration text; `quantity`: resource.Quantity, text or number on
   * input, canonical text on output; `intOrString`: int32 or text. `integer` and `number` are a CRD's, unbounded.
   */
  readonly type:
    | 'string'
    | 'boolean'
    | 'int32'
    | 'int64'
    | 'integer'
    | 'double'
    | 'number'
    | 'bytes'
    | 'time'
    | 'microTime'
    | 'duration'
    | 'quantity'
    | 'intOrString';
  readonly enum?: readonly string[];
}

/** Any JSON (RawExtension, FieldsV1, JSON, CRD x-kubernetes-preserve-unknown-fields). */
export interface AnySchema extends SchemaCommon {
  readonly kind: 'any';
  /** RawExtension and embedded resources hold objects with apiVersion and kind. */
  readonly rawExtension?: boolean;
  readonly embeddedResource?: boolean;
  readonly mapType: 'granular' | 'atomic';
  /** meta/v1 FieldsV1: protobuf keeps its JSON text as it is. */
  readonly fieldsV1?: boolean;
  /** Typed forms of apiextensions/v1 JSONSchemaPropsOrArray, OrBool and OrStringArray. */
  readonly variant?: Variant;
}

/** A Go union with hand-written JSON: the value's JSON type decides its shape. */
export interface Variant {
  readonly name: 'JSONSchemaPropsOrArray' | 'JSONSchemaPropsOrBool' | 'JSONSchemaPropsOrStringArray';
  /** Shape of an object value. */
  readonly object: StructSchema;
  /** Shape of an array value; absent where arrays are refused. */
  readonly list?: ListSchema;
  /** Protobuf field numbers of its forms. */
  readonly numbers: { readonly object: number; readonly list?: number; readonly boolean?: number };
}
