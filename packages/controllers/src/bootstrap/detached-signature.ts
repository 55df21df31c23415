import { createHmac } from 'node:crypto';

/**
 * A JSON Web Signature (HS256) of `content` by a bootstrap token, without the content: `header..signature` (RFC 7515
 * appendix F, cluster-bootstrap token/jws).
 */
export function detachedSignature(content: string, token: { readonly id: string; readonly secret: string }): string {
  const base64url = (text: string): string => Buffer.from(text).toString('base64url');
  const header = base64url(JSON.stringify({ alg: 'HS256', kid: token.id }));
  const signature = createHmac('sha256', token.secret)
    .update(`${header}.${base64url(content)}`)
    .digest('base64url');
  return `${header}..${signature}`;
}
