import { badRequest, goQuote } from '@kubechain/apimachinery';
import type { IncomingMessage } from 'node:http';

/** Who the requester wants to be, as written in the headers. */
export interface WantedUser {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

const extraPrefix = 'impersonate-extra-';

/**
 * Reads the Impersonate-* headers and takes them off the request, so that nothing below can act on them.
 * Undefined when there are none.
 * @throws StatusError 400 when there is a group, uid or extra but no user
 */
export function takeImpersonationHeaders(request: IncomingMessage): WantedUser | undefined {
  const { headers, rawHeaders } = request;
  if (headers['impersonate-user'] === undefined && !hasImpersonation(rawHeaders)) return undefined;
  let name = '';
  let uid = '';
  let attempted = false;
  const groups: string[] = [];
  const extra = new Map<string, string[]>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const header = (rawHeaders[i] as string).toLowerCase();
    const value = Buffer.from(rawHeaders[i + 1] as string, 'latin1').toString('utf8');
    if (header === 'impersonate-user') name ||= value;
    else if (header === 'impersonate-uid') uid ||= value;
    else if (header === 'impersonate-group') groups.push(value);
    else if (header.startsWith(extraPrefix)) {
      const key = unescapeExtraKey(header.slice(extraPrefix.length));
      const values = extra.get(key);
      if (values === undefined) extra.set(key, [value]);
      else values.push(value);
    } else continue;
    attempted ||= header !== 'impersonate-user' && (header !== 'impersonate-uid' || value !== '');
    headers[header] = undefined;
  }
  if (name !== '') return { name, uid, groups, extra };
  if (attempted)
    throw badRequest(`requested ${goStruct({ name, uid, groups, extra })} without impersonating a user name`);
  return undefined;
}

/** Nearly no request impersonates: one character of each header name decides. */
function hasImpersonation(rawHeaders: readonly string[]): boolean {
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const header = rawHeaders[i] as string;
    const first = header.charCodeAt(0);
    if (
      (first === 0x69 || first === 0x49) &&
      header.length > 12 &&
      header.slice(0, 12).toLowerCase() === 'impersonate-'
    )
      return true;
  }
  return false;
}

/** Malformed escapes are kept as they are: an odd key is better than a lost one. */
function unescapeExtraKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

/** As Go's %#v prints a *user.DefaultInfo. */
function goStruct({ name, uid, groups, extra }: WantedUser): string {
  const list = (values: readonly string[]): string => `{${values.map(goQuote).join(', ')}}`;
  const groupText = groups.length === 0 ? '[]string(nil)' : `[]string${list(groups)}`;
  const extraText =
    extra.size === 0
      ? 'map[string][]string(nil)'
      : `map[string][]string{${[...extra]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, values]) => `${goQuote(key)}:[]string${list(values)}`)
          .join(', ')}}`;
  return `&user.DefaultInfo{Name:${goQuote(name)}, UID:${goQuote(uid)}, Groups:${groupText}, Extra:${extraText}}`;
}
