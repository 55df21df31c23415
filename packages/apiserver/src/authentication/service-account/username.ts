import type { UserInfo } from '../../request/user-info.ts';
import { CREDENTIAL_ID_KEY } from '../well-known-users.ts';

const SERVICE_ACCOUNT_USERNAME_PREFIX = 'system:serviceaccount:';
const ALL_SERVICE_ACCOUNTS_GROUP = 'system:serviceaccounts';

/** Who a verified token speaks for, and what it is bound to. Empty strings where it is bound to nothing of the kind. */
export interface ServiceAccountInfo {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly podName: string;
  readonly podUID: string;
  readonly nodeName: string;
  readonly nodeUID: string;
  readonly credentialID: string;
}

/** `system:serviceaccount:NAMESPACE:NAME`. */
export function serviceAccountUsername(namespace: string, name: string): string {
  return `${SERVICE_ACCOUNT_USERNAME_PREFIX}${namespace}:${name}`;
}

/** Namespace and name in a service account's user name; undefined for any other name. */
export function splitServiceAccountUsername(
  username: string,
): { readonly namespace: string; readonly name: string } | undefined {
  if (!username.startsWith(SERVICE_ACCOUNT_USERNAME_PREFIX)) return undefined;
  const parts = username.slice(SERVICE_ACCOUNT_USERNAME_PREFIX.length).split(':');
  const [namespace, name] = parts;
  if (parts.length !== 2 || !isDNSLabel(namespace!) || !isDNSSubdomain(name!)) return undefined;
  return { namespace: namespace!, name: name! };
}

/** The groups that every service account of a namespace is in. */
export function serviceAccountGroups(namespace: string): string[] {
  return [ALL_SERVICE_ACCOUNTS_GROUP, `${ALL_SERVICE_ACCOUNTS_GROUP}:${namespace}`];
}

/** Source: authentication/serviceaccount ServiceAccountInfo.UserInfo. */
export function serviceAccountUser(info: ServiceAccountInfo): UserInfo {
  const extra: Record<string, string[]> = {};
  if (info.podName !== '' && info.podUID !== '') {
    extra['authentication.kubernetes.io/pod-name'] = [info.podName];
    extra['authentication.kubernetes.io/pod-uid'] = [info.podUID];
  }
  if (info.credentialID !== '') extra[CREDENTIAL_ID_KEY] = [info.credentialID];
  if (info.nodeName !== '') {
    extra['authentication.kubernetes.io/node-name'] = [info.nodeName];
    if (info.nodeUID !== '') extra['authentication.kubernetes.io/node-uid'] = [info.nodeUID];
  }
  return {
    name: serviceAccountUsername(info.namespace, info.name),
    uid: info.uid,
    groups: serviceAccountGroups(info.namespace),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

function isDNSLabel(text: string): boolean {
  return text.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text);
}

function isDNSSubdomain(text: string): boolean {
  return text.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(text);
}
