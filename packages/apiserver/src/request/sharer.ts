import type { UserInfo } from './user-info.ts';

const serviceAccountPrefix = 'system:serviceaccount:';
/** Its accounts are those of the cluster's own components, which nobody makes who is not an administrator. */
const systemPrefix = `${serviceAccountPrefix}kube-system:`;

/**
 * Among whom the time and the memory of a server are shared: users, but the service accounts of a namespace are one.
 * Whoever may edit a namespace may impersonate as many of its accounts as they think of, and would have a share for
 * each. Those of kube-system are one each; so is a name that begins as theirs and has no namespace, which is no service
 * account's.
 */
export function sharerOf({ name }: Pick<UserInfo, 'name'>): string {
  if (!name.startsWith(serviceAccountPrefix) || name.startsWith(systemPrefix)) return name;
  const end = name.indexOf(':', serviceAccountPrefix.length);
  return end > serviceAccountPrefix.length ? name.slice(0, end + 1) : name;
}
