import type { GroupResource } from './object.ts';

/** `deployments.apps`, or `pods` in the core group (schema.GroupResource.String). */
export function formatGroupResource({ group, resource }: GroupResource): string {
  return group === '' ? resource : `${resource}.${group}`;
}
