import { timingSafeEqual } from 'node:crypto';
import { AuthenticationError } from '../authentication-error.ts';
import type { JWTClaims } from './jwt.ts';
import type { ServiceAccountTokenGetter } from './token-getter.ts';
import type { ServiceAccountTokenMetrics } from './token-metrics.ts';
import { splitServiceAccountUsername, type ServiceAccountInfo } from './username.ts';

/** Issuer of the tokens that lie in Secrets of type kubernetes.io/service-account-token. */
export const LEGACY_ISSUER = 'kubernetes/serviceaccount';
const INVALID_SINCE_LABEL = 'kubernetes.io/legacy-token-invalid-since';

/** Claims of a Secret's token. Source: pkg/serviceaccount LegacyClaims. */
export function legacyClaims(
  secret: { readonly namespace: string; readonly name: string },
  account: { readonly name: string; readonly uid: string },
): JWTClaims {
  return {
    sub: `system:serviceaccount:${secret.namespace}:${account.name}`,
    'kubernetes.io/serviceaccount/namespace': secret.namespace,
    'kubernetes.io/serviceaccount/secret.name': secret.name,
    'kubernetes.io/serviceaccount/service-account.name': account.name,
    'kubernetes.io/serviceaccount/service-account.uid': account.uid,
  };
}

/**
 * A Secret's token is good as long as the Secret holds exactly it and the account is the same. The reference also
 * labels
 * the Secret with the day of its last use; that write belongs to who serves Secrets (`onUsed`).
 * @throws AuthenticationError `InvalidToken`
 * Source: pkg/serviceaccount/legacy.go Validate.
 */
export async function validateLegacyClaims(
  token: string,
  claims: JWTClaims,
  options: LegacyValidationOptions,
): Promise<ServiceAccountInfo> {
  const subject = required(claims, 'sub', 'sub');
  const namespace = required(claims, 'kubernetes.io/serviceaccount/namespace', 'namespace');
  const secretName = required(claims, 'kubernetes.io/serviceaccount/secret.name', 'secretName');
  const name = required(claims, 'kubernetes.io/serviceaccount/service-account.name', 'serviceAccountName');
  const uid = required(claims, 'kubernetes.io/serviceaccount/service-account.uid', 'serviceAccountUID');
  const account = splitServiceAccountUsername(subject);
  if (account === undefined || account.namespace !== namespace || account.name !== name)
    throw invalid('sub claim is invalid');
  if (options.lookup) await look({ token, namespace, secretName, name, uid }, options);
  return { namespace, name, uid, podName: '', podUID: '', nodeName: '', nodeUID: '', credentialID: '' };
}

export interface LegacyValidationOptions {
  /** --service-account-lookup: check that Secret and account exist. */
  readonly lookup: boolean;
  readonly getter: ServiceAccountTokenGetter;
  /** Where uses are counted; default nowhere. */
  readonly metrics?: ServiceAccountTokenMetrics | undefined;
  /** Told of each good use of a Secret's token. */
  readonly onUsed?: (secret: { readonly namespace: string; readonly name: string }) => void;
}

interface LegacyToken {
  readonly token: string;
  readonly namespace: string;
  readonly secretName: string;
  readonly name: string;
  readonly uid: string;
}

async function look(
  { token, namespace, secretName, name, uid }: LegacyToken,
  options: LegacyValidationOptions,
): Promise<void> {
  const secret = await options.getter.getSecret(namespace, secretName).catch((cause: unknown) => {
    throw invalid('Token has been invalidated', cause);
  });
  if (secret.metadata?.deletionTimestamp !== undefined) throw invalid('Token has been invalidated');
  const stored = (secret['data'] as Record<string, string> | undefined)?.['token'] ?? '';
  const storedBytes = Buffer.from(stored, 'base64');
  const tokenBytes = Buffer.from(token);
  if (storedBytes.length !== tokenBytes.length || !timingSafeEqual(storedBytes, tokenBytes))
    throw invalid("Token does not match server's copy");

  const account = await options.getter.getServiceAccount(namespace, name);
  if (account.metadata?.deletionTimestamp !== undefined)
    throw invalid(`ServiceAccount ${namespace}/${name} has been deleted`);
  const accountUID = account.metadata?.uid ?? '';
  if (accountUID !== uid) throw invalid(`ServiceAccount UID (${accountUID}) does not match claim (${uid})`);
  if ((secret.metadata?.labels?.[INVALID_SINCE_LABEL] ?? '') !== '') {
    options.metrics?.legacyInvalid.inc();
    throw invalid(
      `the token in secret ${namespace}/${secretName} for service account ${namespace}/${name} has been ` +
        'marked invalid. Use tokens from the TokenRequest API or manually created secret-based tokens, or ' +
        `remove the '${INVALID_SINCE_LABEL}' label from the secret to temporarily allow use of this token`,
    );
  }
  const named = (account['secrets'] as readonly { readonly name?: string }[] | undefined) ?? [];
  const { legacyAuto, legacyManual } = options.metrics ?? {};
  (named.some((reference) => reference.name === secretName) ? legacyAuto : legacyManual)?.inc();
  options.onUsed?.({ namespace, name: secretName });
}

function required(claims: JWTClaims, key: string, label: string): string {
  const value = claims[key];
  if (typeof value !== 'string' || value === '') throw invalid(`${label} claim is missing`);
  return value;
}

function invalid(message: string, cause?: unknown): AuthenticationError {
  return new AuthenticationError('InvalidToken', message, cause === undefined ? undefined : { cause });
}
