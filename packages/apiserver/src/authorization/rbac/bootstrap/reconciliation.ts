import type { KubeObject, ObjectMeta } from '@kubechain/apimachinery';

/** Set to "false" by an administrator, it keeps the server's hands off a default role or binding. */
export const AUTO_UPDATE_ANNOTATION = 'rbac.authorization.kubernetes.io/autoupdate';

/** What to do with a stored object. `recreate`: the roleRef is immutable, so the binding is deleted and made anew. */
export type Reconciliation<T> =
  | { readonly kind: 'none' }
  | { readonly kind: 'update'; readonly object: T }
  | { readonly kind: 'recreate'; readonly object: T };

/** Adds the default's labels and annotations that the object has no value for; true when there were any. */
export function mergeMetadata(object: KubeObject & { metadata: ObjectMeta }, expected: KubeObject): boolean {
  let changed = false;
  for (const field of ['annotations', 'labels'] as const) {
    for (const [key, value] of Object.entries(expected.metadata?.[field] ?? {})) {
      const values = (object.metadata[field] ??= {});
      if (Object.hasOwn(values, key)) continue;
      values[key] = value;
      changed = true;
    }
  }
  return changed;
}
