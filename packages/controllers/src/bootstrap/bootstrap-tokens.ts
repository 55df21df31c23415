import { parseTime } from '@kubechain/apimachinery';
import type { Secret } from '@kubechain/apimachinery/types/core/v1';

/** Where bootstrap tokens are, what type their secrets have, and how these are found. */
export const bootstrapTokens = {
  namespace: 'kube-system',
  type: 'bootstrap.kubernetes.io/token',
  fieldSelector: 'type=bootstrap.kubernetes.io/token',
} as const;

/** Whether a secret is a bootstrap token. */
export function isBootstrapToken({ metadata, type }: Secret): boolean {
  return type === bootstrapTokens.type && metadata?.namespace === bootstrapTokens.namespace;
}

/** A value of a secret as text; '' where it is not there. */
function secretText({ data }: Secret, key: string): string {
  return Buffer.from(data?.[key] ?? '', 'base64').toString('utf8');
}

/** When a token expires; undefined: never. What cannot be read has expired. */
export function expiresMs(secret: Secret): number | undefined {
  const text = secretText(secret, 'expiration');
  if (text === '') return undefined;
  try {
    return parseTime(text);
  } catch {
    return 0;
  }
}

/** A token that signs; undefined where the secret is none, is broken, has expired or is not for signing. */
export function signingToken(
  secret: Secret,
  nowMs: number,
): { readonly id: string; readonly secret: string } | undefined {
  const [, named] = /^bootstrap-token-([a-z0-9]{6})$/.exec(secret.metadata?.name ?? '') ?? [];
  const id = secretText(secret, 'token-id');
  const tokenSecret = secretText(secret, 'token-secret');
  if (named === undefined || named !== id || tokenSecret === '') return undefined;
  if ((expiresMs(secret) ?? Number.POSITIVE_INFINITY) <= nowMs) return undefined;
  return secretText(secret, 'usage-bootstrap-signing') === 'true' ? { id, secret: tokenSecret } : undefined;
}
