import type { GroupVersionResource, KubeObject } from '@kubechain/apimachinery';

/** One served resource, with the type of its objects. */
export interface ResourceType<T = KubeObject> extends GroupVersionResource {
  readonly kind: string;
  readonly namespaced: boolean;
  /** Only for the compiler: never set. */
  readonly object?: T;
}

/** `pods`, `deployments.v1.apps`: the key of a resource in maps and its name in logs. */
export function resourceKey({ group, version, resource }: GroupVersionResource): string {
  return group === '' ? `${resource}.${version}` : `${resource}.${version}.${group}`;
}

/** `v1`, `apps/v1`. */
export function apiVersionOf({ group, version }: { readonly group: string; readonly version: string }): string {
  return group === '' ? version : `${group}/${version}`;
}

/** `/api/v1/namespaces/NS/pods/NAME/status` and everything shorter. */
export function resourcePath(
  { group, version, resource, namespaced }: ResourceType<unknown>,
  at: { readonly namespace?: string | undefined; readonly name?: string; readonly subresource?: string } = {},
): string {
  let path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  if (namespaced && at.namespace !== undefined && at.namespace !== '')
    path += `/namespaces/${encodeURIComponent(at.namespace)}`;
  path += `/${resource}`;
  if (at.name !== undefined) path += `/${encodeURIComponent(at.name)}`;
  if (at.subresource !== undefined) path += `/${at.subresource}`;
  return path;
}
