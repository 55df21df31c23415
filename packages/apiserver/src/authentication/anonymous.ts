import type { IncomingMessage } from 'node:http';
import type { AuthenticatedUser, RequestAuthenticator } from './authenticator.ts';
import { ANONYMOUS_USER, UNAUTHENTICATED_GROUP } from './well-known-users.ts';

/** Who requests without credentials are. */
export const ANONYMOUS: AuthenticatedUser = { user: { name: ANONYMOUS_USER, groups: [UNAUTHENTICATED_GROUP] } };

export interface AnonymousOptions {
  /** Only requests for these exact URL paths may be anonymous; empty or absent: all. */
  readonly paths?: readonly string[];
}

/**
 * Takes every request that carries no credential as `system:anonymous`. Asked last. Source:
 * authentication/request/anonymous.
 */
export function anonymousAuthenticator(options: AnonymousOptions = {}): RequestAuthenticator {
  const paths = new Set(options.paths ?? []);
  if (paths.size === 0) return { authenticate: () => ANONYMOUS };
  return {
    authenticate: (request: IncomingMessage) => (paths.has(pathOf(request.url ?? '/')) ? ANONYMOUS : undefined),
  };
}

function pathOf(url: string): string {
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
