import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { AuthenticatedUser, RequestAuthenticator } from '../authenticator.ts';

/** Which headers carry the identity (--requestheader-*-headers). Names are lower case. */
export interface RequestHeaderNames {
  /** The first of them that has a value wins. */
  readonly username: readonly string[];
  readonly uid: readonly string[];
  /** All values of all of them. */
  readonly group: readonly string[];
  /** `x-remote-extra-` gives every header that starts so. */
  readonly extraPrefixes: readonly string[];
}

/** What the hop between our own processes uses, and what is always stripped from requests, whatever the flags say. */
export const STANDARD_REQUEST_HEADERS: RequestHeaderNames = {
  username: ['x-remote-user'],
  uid: ['x-remote-uid'],
  group: ['x-remote-group'],
  extraPrefixes: ['x-remote-extra-'],
};

/**
 * Reads the identity that a front proxy vouches for. Believes anybody: put it behind `clientCertificateGuard` or on a
 * listener that only the proxy can reach.
 * Source: authentication/request/headerrequest.
 */
export function requestHeaderAuthenticator(names: RequestHeaderNames): RequestAuthenticator {
  return {
    authenticate(request) {
      const known = identityFromHeaders(request, names);
      if (known !== undefined) clearIdentityHeaders(request.headers, names);
      return known;
    },
  };
}

/** The identity in the headers; undefined without a user name. */
function identityFromHeaders(request: IncomingMessage, names: RequestHeaderNames): AuthenticatedUser | undefined {
  const name = firstValue(request.headers, names.username);
  if (name === '') return undefined;
  const uid = firstValue(request.headers, names.uid);
  const groups: string[] = [];
  for (const header of names.group) {
    for (const [key, value] of rawHeaders(request)) if (key === header && value !== '') groups.push(text(value));
  }
  const extra = extraFrom(request, names.extraPrefixes);
  return { user: { name, groups, ...(uid === '' ? {} : { uid }), ...(extra === undefined ? {} : { extra }) } };
}

/** Takes every header that could pass for an identity off a request. */
function clearIdentityHeaders(headers: IncomingHttpHeaders, names: RequestHeaderNames): void {
  for (const name of names.username) delete headers[name];
  for (const name of names.uid) delete headers[name];
  for (const name of names.group) delete headers[name];
  for (const name of Object.keys(headers)) {
    if (names.extraPrefixes.some((prefix) => name.startsWith(prefix))) delete headers[name];
  }
}

function firstValue(headers: IncomingHttpHeaders, names: readonly string[]): string {
  for (const name of names) {
    const value = headers[name];
    const single = Array.isArray(value) ? value[0] : value;
    if (single !== undefined && single !== '') return text(single);
  }
  return '';
}

/** As they came, name by name: `headers` joins repeated ones with a comma, which may be part of a group's name. */
function* rawHeaders({ rawHeaders: raw }: IncomingMessage): Generator<readonly [name: string, value: string]> {
  for (let index = 0; index + 1 < raw.length; index += 2) yield [raw[index]!.toLowerCase(), raw[index + 1]!];
}

function extraFrom(
  request: IncomingMessage,
  prefixes: readonly string[],
): Record<string, readonly string[]> | undefined {
  let extra: Record<string, string[]> | undefined;
  for (const prefix of prefixes) {
    for (const [name, value] of rawHeaders(request)) {
      if (!name.startsWith(prefix)) continue;
      const key = unescapeKey(name.slice(prefix.length));
      // No prototype: a header may be called x-remote-extra-__proto__.
      extra ??= Object.create(null) as Record<string, string[]>;
      (extra[key] ??= []).push(text(value));
    }
  }
  return extra;
}

function unescapeKey(encoded: string): string {
  if (!encoded.includes('%')) return encoded;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** Node reads header bytes as Latin-1; proxies send UTF-8. */
function text(value: string): string {
  for (let index = 0; index < value.length; index++) {
    if (value.charCodeAt(index) > 0x7f) return Buffer.from(value, 'latin1').toString('utf8');
  }
  return value;
}
