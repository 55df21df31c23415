import type { IncomingMessage } from 'node:http';
import type { UserInfo } from '../../request/user-info.ts';

/** Who a request is from, as one process tells the next. */
export interface ForwardedIdentity {
  readonly user: UserInfo;
  /** Who authenticated, when `user` is impersonated; for the audit log of the process that answers. */
  readonly impersonator?: UserInfo;
  /** The verb that allowed it, where that was a constrained one; as `impersonator`, for the audit log. */
  readonly impersonationConstraint?: string;
}

/**
 * Between our own processes: the whole identity as base64 of JSON, for what X-Remote-* cannot say (control characters
 * in names, the impersonator).
 */
const identityHeader = 'X-Kubechain-Identity';

/** Headers that end at this hop (RFC 9110 7.6.1), credentials, and everything that could speak for a user. */
const dropped: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'http2-settings',
  'authorization',
  'sec-websocket-protocol',
  'audit-id',
  'impersonate-user',
  'impersonate-group',
  'impersonate-uid',
]);

/** Whether a client's header must not reach the next process; `name` is lower case. */
function isDropped(name: string): boolean {
  return (
    dropped.has(name) ||
    name.charCodeAt(0) === 0x3a ||
    name.startsWith('x-remote-') ||
    name.startsWith('x-kubechain-') ||
    name.startsWith('impersonate-extra-')
  );
}

/**
 * Headers as a flat name-value list, those that most requests of a client have alike apart from those of one request.
 */
export interface ForwardedHeaders {
  readonly common: string[];
  readonly own: string[];
}

function isTraceContext(name: string): boolean {
  return name === 'traceparent' || name === 'tracestate';
}

/** Whether a header has another value with each request. */
function isOwn(name: string): boolean {
  return name === 'content-length' || isTraceContext(name) || name === 'baggage';
}

/**
 * The client's headers that go on to the next process: strip first, stamp later (`stampIdentity`), so that nothing a
 * client sends can pass for what this process says.
 * @param traced the client's trace context stays here, as a step of this process is to be the parent
 */
export function forwardedHeaders(request: IncomingMessage, traced = false): ForwardedHeaders {
  const { rawHeaders } = request;
  const connection = request.headers.connection;
  // `Connection: close` and `keep-alive` name no headers; only other values make more headers end here.
  const named =
    connection === undefined || /^(?:close|keep-alive)$/i.test(connection)
      ? undefined
      : new Set(
          connection
            .toLowerCase()
            .split(',')
            .map((name) => name.trim()),
        );
  const common: string[] = [];
  const own: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    const lower = name.toLowerCase();
    if (isDropped(lower) || named?.has(lower) === true || (traced && isTraceContext(lower))) continue;
    (isOwn(lower) ? own : common).push(name, rawHeaders[i + 1] as string);
  }
  // Authentication takes tokens out of this one.
  const protocols = request.headers['sec-websocket-protocol'];
  if (protocols !== undefined) common.push('Sec-WebSocket-Protocol', protocols);
  if (request.httpVersionMajor === 2 && request.headers.host === undefined) {
    const authority = request.headers[':authority'];
    if (typeof authority === 'string') common.push('Host', authority);
  }
  return { common, own };
}

/**
 * Adds X-Remote-User, -Group, -Uid and -Extra-* to a header list, as upstream's front proxy writes them: extra keys
 * percent-encoded, values in UTF-8. What these cannot say goes into a header of our own, which then counts alone.
 */
export function stampIdentity(headers: string[], identity: ForwardedIdentity): void {
  const { user, impersonator } = identity;
  if (impersonator !== undefined || !isPlain(user)) {
    headers.push(identityHeader, Buffer.from(JSON.stringify(identity)).toString('base64'));
    return;
  }
  stampUser(headers, user);
}

/**
 * The same for a server that is not of this chain, which knows the X-Remote-* headers only. Values that no header can
 * say make Node refuse the request.
 */
export function identityHeaders(user: UserInfo): Record<string, string | string[]> {
  const list: string[] = [];
  stampUser(list, user);
  const headers: Record<string, string | string[]> = {};
  for (let i = 0; i < list.length; i += 2) {
    const name = (list[i] as string).toLowerCase();
    const before = headers[name];
    const value = list[i + 1] as string;
    headers[name] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value];
  }
  return headers;
}

function stampUser(headers: string[], user: UserInfo): void {
  headers.push('X-Remote-User', toHeader(user.name));
  if (user.uid !== undefined && user.uid !== '') headers.push('X-Remote-Uid', toHeader(user.uid));
  for (const group of user.groups) headers.push('X-Remote-Group', toHeader(group));
  if (user.extra === undefined) return;
  for (const [key, values] of Object.entries(user.extra)) {
    const name = extraHeader(key);
    for (const value of values) headers.push(name, toHeader(value));
  }
}

/**
 * What the previous process says about a request; undefined when it says nothing. Only to be asked on a delegate
 * listener, whose clients are known.
 */
export function readIdentity({
  rawHeaders,
}: {
  readonly rawHeaders: readonly string[];
}): ForwardedIdentity | undefined {
  let name = '';
  let uid = '';
  let extra: Record<string, string[]> | undefined;
  const groups: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const header = rawHeaders[i] as string;
    // All of them begin with X; most headers of a request do not.
    if (header.charCodeAt(0) !== 0x58 && header.charCodeAt(0) !== 0x78) continue;
    const value = rawHeaders[i + 1] as string;
    const lower = header.toLowerCase();
    if (lower === 'x-kubechain-identity')
      return JSON.parse(Buffer.from(value, 'base64').toString()) as ForwardedIdentity;
    if (lower === 'x-remote-group') groups.push(fromHeader(value));
    else if (lower === 'x-remote-user') name = fromHeader(value);
    else if (lower === 'x-remote-uid') uid = fromHeader(value);
    else if (lower.startsWith('x-remote-extra-')) {
      // No prototype: a key may be called `constructor`.
      extra ??= Object.create(null) as Record<string, string[]>;
      (extra[decodeURIComponent(lower.slice('x-remote-extra-'.length))] ??= []).push(fromHeader(value));
    }
  }
  if (name === '') return undefined;
  return { user: { name, groups, ...(uid === '' ? {} : { uid }), ...(extra === undefined ? {} : { extra }) } };
}

/**
 * Header names of extra keys that were seen before, 12 µs each otherwise; users of one cluster share a handful. Full:
 * the map starts anew.
 */
const extraHeaders = new Map<string, string>();
const maxExtraHeaders = 1_000;

function extraHeader(key: string): string {
  let name = extraHeaders.get(key);
  if (name !== undefined) return name;
  if (extraHeaders.size >= maxExtraHeaders) extraHeaders.clear();
  extraHeaders.set(key, (name = `X-Remote-Extra-${escapeExtraKey(key)}`));
  return name;
}

/** Percent-encodes what is no token character, and `%` itself (transport.headerKeyEscape). */
function escapeExtraKey(key: string): string {
  let escaped = '';
  for (const byte of Buffer.from(key, 'utf8')) {
    const character = String.fromCharCode(byte);
    escaped += /[A-Za-z0-9!#$&'*+.^_`|~-]/.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return escaped;
}

const printable = /^[\x20-\x7e]*$/;
// Leading and trailing blanks would be lost, control characters refused.
const unsafe = /\p{Cc}|^ | $/u;

function isPlain({ name, uid = '', groups, extra }: UserInfo): boolean {
  if (name === '' || unsafe.test(name) || unsafe.test(uid) || groups.some((group) => unsafe.test(group))) return false;
  return (
    extra === undefined ||
    Object.entries(extra).every(
      ([key, values]) =>
        key !== '' && key === key.toLowerCase() && values.length > 0 && !values.some((value) => unsafe.test(value)),
    )
  );
}

/** UTF-8 bytes in the Latin-1 string that Node's header API takes. */
function toHeader(text: string): string {
  return printable.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

function fromHeader(value: string): string {
  return printable.test(value) ? value : Buffer.from(value, 'latin1').toString('utf8');
}
