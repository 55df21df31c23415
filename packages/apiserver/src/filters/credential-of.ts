import type { IncomingMessage } from 'node:http';
import type { UserInfo } from '../request/user-info.ts';

const serviceAccountPrefix = 'system:serviceaccount:';

/** By what kind of credential a caller was known, in words; asked before the credential is taken from the request. */
export function credentialOf(request: IncomingMessage, { extra, name }: UserInfo): string {
  if (name === 'system:anonymous') return 'anonymous';
  const { authorization, 'x-remote-user': front } = request.headers;
  const id = extra?.['authentication.kubernetes.io/credential-id']?.[0] ?? '';
  if (id.startsWith('X509SHA256=')) return `client certificate ${id}`;
  if (authorization !== undefined || request.headers['sec-websocket-protocol'] !== undefined)
    return name.startsWith(serviceAccountPrefix) ? `service account token ${id}`.trim() : `bearer token ${id}`.trim();
  return front === undefined ? 'client certificate' : 'front proxy';
}
