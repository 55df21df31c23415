import type { Schema } from '../schema/schema.ts';
import type { GroupVersionKind, GroupVersion, KubeObject } from '../object/object.ts';

/** One served version of one kind: its schema and what a Go type would know about it. */
export interface KindInfo {
  readonly gvk: GroupVersionKind;
  /** The whole object, metadata included; `undefined` only for kinds that any JSON object satisfies. */
  readonly schema: Schema;
  /** Go type for error texts, e.g. `v1.ConfigMap`. */
  readonly goType: string;
  /**
   * What all versions of the kind convert through, as error texts name it, e.g. `core.ConfigMap`; two kinds convert
   * into each other only if it is the same.
   */
  readonly hubType?: string;
  /** Definition name of a built-in, e.g. `io.k8s.api.core.v1.ConfigMap`. */
  readonly definition?: string;
  /**
   * Custom resources: decoded as they are, nulls and unknown fields included; checks, pruning and defaulting come
   * later.
   */
  readonly unstructured?: boolean;
  /**
   * Unstructured kinds: brings a decoded object into the kind's shape, in place (pruning, metadata). Returns the
   * texts of unknown fields, if `strict` asks for them. @throws DecodeError `InvalidValue`
   */
  readonly coerce?: (object: KubeObject, strict: boolean) => readonly string[];
  /**
   * Leaves out of an object's metadata, in place, what ObjectMeta cannot have, as reading from the store does. Only of
   * kinds without a Go type: metadata of all others is read with them.
   */
  readonly repairMetadata?: (object: KubeObject) => void;
  /**
   * Told of objects that apply has merged from a configuration, which may hold what the kind has no place for until
   * they are stored. Only of kinds without a Go type.
   */
  readonly noteMerged?: (object: KubeObject, configuration: KubeObject) => void;
}

/**
 * Knows kinds by group, version and kind, and converts between versions of one kind.
 * Immutable after start for built-ins; apiextensions makes one small Scheme per CRD.
 */
export interface Scheme {
  /** `undefined` when the kind is not registered in that version. */
  kind(gvk: GroupVersionKind): KindInfo | undefined;
  /** Versions of a group, most preferred first. */
  versions(group: string): readonly string[];
  kinds(): Iterable<KindInfo>;
  /**
   * The object in another version of its group; the same object when nothing has to change but apiVersion.
   * May modify and return its argument. Rejects with StatusError where a webhook converter fails.
   */
  convert(object: KubeObject, target: GroupVersion): KubeObject | Promise<KubeObject>;
  /** Sets defaults in place (schema defaults and registered defaulting functions of the object's version). */
  applyDefaults(object: KubeObject): void;
}

/**
 * The schema to encode objects of a kind with. Unstructured ones are written whole, whatever their schema knows: what
 * they may hold was decided when they were pruned.
 */
export function encodingSchema(kind: KindInfo | undefined): Schema | undefined {
  return kind?.unstructured === true ? undefined : kind?.schema;
}
