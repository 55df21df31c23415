import type { KubeObject, ObjectMeta, OwnerReference } from '../object/object.ts';

/** The object's metadata; created when it has none. */
export function ensureMeta(object: KubeObject): ObjectMeta {
  return (object.metadata ??= {});
}

/** The owner that manages the object, if any (metav1.GetControllerOf). */
export function controllerOf(meta: ObjectMeta | undefined): OwnerReference | undefined {
  return meta?.ownerReferences?.find((reference) => reference.controller === true);
}

/** Whether the object waits for its finalizers. */
export function isBeingDeleted(meta: ObjectMeta | undefined): boolean {
  return meta?.deletionTimestamp !== undefined && meta.deletionTimestamp !== null;
}

/** Adds a finalizer in place unless it is there; true when it was added. */
export function addFinalizer(meta: ObjectMeta, finalizer: string): boolean {
  if (meta.finalizers?.includes(finalizer) === true) return false;
  meta.finalizers = [...(meta.finalizers ?? []), finalizer];
  return true;
}
