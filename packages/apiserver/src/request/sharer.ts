import type { UserInfo } from './user-info.ts';

const serviceAccountPrefix = 'system:serviceaccount:';
/** Its accounts are those of the cluster's own components, which nobody makes who is not an administrator. */
const systemPrefix = `${serviceAccountPrefix}kube-system:`;

/**
 * Among whom the time and the memory of a server are shared: users, but the service accounts of a namespace are one.
 * Whoever may edit a namespace may impersonate as many of its accounts as they think of, and would have a share for
 * each.
 */
export function sharerOf({ name }: Pick<UserInfo, 'name'>): string {
  if (!name.startsWith(serviceAccountPrefix) || name.startsWith(systemPrefix)) return name;
  return name.slice(0, name.indexOf(':', serviceAccountPrefix.length) + 1);
}
