/** Any value that JSON can carry; integers beyond 2^53 are `bigint`. */
export type JSONValue = null | boolean | number | bigint | string | JSONValue[] | { [key: string]: JSONValue };

/** One entry of `metadata.ownerReferences` (meta/v1 OwnerReference). */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** One entry of `metadata.managedFields` (meta/v1 ManagedFieldsEntry). */
export interface ManagedFieldsEntry {
  manager?: string;
  operation?: 'Apply' | 'Update';
  apiVersion?: string;
  /** RFC 3339, seconds. */
  time?: string;
  fieldsType?: 'FieldsV1';
  /** The set in its wire form: `{"f:metadata": {"f:labels": {".": {}, "f:app": {}}}}`. */
  fieldsV1?: Record<string, JSONValue>;
  subresource?: string;
}

/** `metadata` of every persisted object (meta/v1 ObjectMeta). Times are RFC 3339 strings. */
export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  selfLink?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string | null;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
}

/** An API object as plain JSON data. Fields besides these are typed by the object's schema, not by TypeScript. */
export interface KubeObject {
  apiVersion?: string;
  kind?: string;
  metadata?: ObjectMeta;
  [field: string]: unknown;
}

/** A version of a group; group '' is the core group. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}
/** What an object is, in one version (schema.GroupVersionKind). */
export interface GroupVersionKind extends GroupVersion {
  readonly kind: string;
}
/** Where objects are served, in one version (schema.GroupVersionResource). */
export interface GroupVersionResource extends GroupVersion {
  readonly resource: string;
}
/** A resource in any version: group '' is the core group; `resource` is the plural. */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}
export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}
