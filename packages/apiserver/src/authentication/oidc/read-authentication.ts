import {
  FieldPath,
  aggregateMessage,
  append,
  duplicate,
  invalidValue,
  tooMany,
  type FieldError,
} from '@kubechain/apimachinery';
import { AuthenticationConfigurationError } from './authentication-configuration-error.ts';
import type { WrittenAnonymous, WrittenAuthentication } from './authentication-configuration.ts';
import type { ConfiguredIssuer } from './configured-issuer.ts';
import { readIssuer } from './read-issuer.ts';

/** Who callers may be, as a configuration says. */
export interface ConfiguredAuthentication {
  readonly issuers: readonly ConfiguredIssuer[];
  /** Absent: as the flags say. */
  readonly anonymous?: { readonly enabled: boolean; readonly paths: readonly string[] };
}

const maxIssuers = 64;

/**
 * Checks what stands in a file (apis/apiserver/validation ValidateAuthenticationConfiguration, 1.36).
 * @param disallowed issuers that are this server's own
 * @throws AuthenticationConfigurationError
 */
export function readAuthentication(
  { anonymous, jwt = [] }: WrittenAuthentication,
  disallowed: readonly string[],
): ConfiguredAuthentication {
  const root = FieldPath.of('jwt');
  const errors: FieldError[] = [];
  const issuers: ConfiguredIssuer[] = [];
  if (jwt.length > maxIssuers)
    throw new AuthenticationConfigurationError(aggregateMessage([tooMany(root, jwt.length, maxIssuers)]));
  const seen = { urls: new Set<string>(), discoveryURLs: new Set<string>() };
  for (const [i, written] of jwt.entries()) {
    const path = root.index(i);
    const read = readIssuer(written, path, disallowed);
    append(errors, read.errors);
    issuers.push(read.issuer);
    const { discoveryURL, url } = read.issuer;
    if (seen.urls.has(url)) errors.push(duplicate(path.child('issuer').child('url'), url));
    seen.urls.add(url);
    if (discoveryURL === '') continue;
    if (seen.discoveryURLs.has(discoveryURL))
      errors.push(duplicate(path.child('issuer').child('discoveryURL'), discoveryURL));
    seen.discoveryURLs.add(discoveryURL);
  }
  append(errors, anonymousErrors(anonymous));
  if (errors.length > 0) throw new AuthenticationConfigurationError(aggregateMessage(errors));
  if (anonymous === undefined) return { issuers };
  const { conditions = [], enabled = false } = anonymous;
  return { issuers, anonymous: { enabled, paths: conditions.map(({ path = '' }) => path) } };
}

function anonymousErrors(anonymous: WrittenAnonymous | undefined): readonly FieldError[] {
  const { conditions = [], enabled = false } = anonymous ?? {};
  if (enabled || conditions.length === 0) return [];
  const shown = conditions.map(({ path = '' }) => ({ Path: path }));
  return [
    invalidValue(
      FieldPath.of('anonymous').child('conditions'),
      shown,
      'enabled should be set to true when conditions are defined',
    ),
  ];
}
