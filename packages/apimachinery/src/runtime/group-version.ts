import type { GroupVersion, GroupVersionKind, KubeObject } from '../object/object.ts';

/** `apps/v1`, or `v1` for the core group. */
export function formatGroupVersion(gv: GroupVersion): string {
  return gv.group === '' ? gv.version : `${gv.group}/${gv.version}`;
}

/** Splits an apiVersion; undefined when it has more than one slash (upstream schema.ParseGroupVersion). */
export function parseGroupVersion(apiVersion: string): GroupVersion | undefined {
  if (apiVersion === '' || apiVersion === '/') return { group: '', version: '' };
  const slash = apiVersion.indexOf('/');
  if (slash < 0) return { group: '', version: apiVersion };
  return apiVersion.includes('/', slash + 1)
    ? undefined
    : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** What an object says it is; missing parts are empty, a malformed apiVersion gives an empty version. */
export function gvkOf(object: KubeObject): GroupVersionKind {
  const gv = parseGroupVersion(object.apiVersion ?? '') ?? { group: '', version: '' };
  return { group: gv.group, version: gv.version, kind: object.kind ?? '' };
}
