export type { GroupKind, GroupResource, GroupVersion, GroupVersionKind, GroupVersionResource, JSONValue, KubeObject, ManagedFieldsEntry, ObjectMeta, OwnerReference } from './runtime/object.ts';
export type { KindInfo, Scheme } from './runtime/scheme.ts';
export type { AnySchema, Field, ListSchema, MapSchema, ScalarSchema, Schema, SchemaCommon, StructSchema } from './schema/schema.ts';
export { StatusError } from './errors/status.ts';
export type { Status, StatusCause, StatusDetails, StatusReason } from './errors/status.ts';
export type { FieldRequirement, FieldSelector, LabelSelector } from './selectors/selector.ts';
export type { Clock } from './meta/time.ts';
