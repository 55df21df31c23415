import { goQuote } from '../errors/go-format.ts';
import { parseIPAddress } from './ip-address.ts';

/** A URL as Go's net/url sees it, as far as validation looks at it. */
export interface GoURL {
  readonly scheme: string;
  readonly host: string;
  /** Undefined without an `@`. */
  readonly user: string | undefined;
  readonly fragment: string;
  readonly rawQuery: string;
  /** As it was written; empty for a URL without a slash after its scheme, whose rest is in `opaque`. */
  readonly path: string;
  readonly opaque: string;
}

/** The text of Go's error, without the `parse "…": ` in front. */
class URLProblem extends Error {}

/** url.Parse: absolute and relative references. The result is a URL or the text of Go's error. */
export function parseURL(text: string): GoURL | string {
  const hash = text.indexOf('#');
  const fragment = hash < 0 ? '' : text.slice(hash + 1);
  // Texts of errors name the URL without its fragment, unless it is the fragment that is wrong.
  const base = hash < 0 ? text : text.slice(0, hash);
  const url = attempt(base, () => parse(base, false));
  return typeof url === 'string'
    ? url
    : attempt(text, () => {
        checkEscapes(fragment);
        return { ...url, fragment };
      });
}

/** url.ParseRequestURI: absolute URLs and absolute paths; `#` has no meaning. */
export function parseRequestURI(text: string): GoURL | string {
  return attempt(text, () => parse(text, true));
}

function attempt(text: string, run: () => GoURL): GoURL | string {
  try {
    return run();
  } catch (error) {
    if (error instanceof URLProblem) return `parse ${goQuote(text)}: ${error.message}`;
    throw error;
  }
}

function parse(text: string, viaRequest: boolean): GoURL {
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(text)) throw new URLProblem('net/url: invalid control character in URL');
  if (text === '' && viaRequest) throw new URLProblem('empty url');
  const none: GoURL = { scheme: '', host: '', user: undefined, fragment: '', rawQuery: '', path: '', opaque: '' };
  if (text === '*') return { ...none, path: '*' };
  const { scheme, rest: all } = splitScheme(text);
  const question = all.indexOf('?');
  const rawQuery = question < 0 ? '' : all.slice(question + 1);
  let rest = question < 0 ? all : all.slice(0, question);
  const found = { ...none, scheme, rawQuery };
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...found, opaque: rest };
    if (viaRequest) throw new URLProblem('invalid URI for request');
    if (rest.split('/', 1)[0]?.includes(':') === true)
      throw new URLProblem('first path segment in URL cannot contain colon');
  }
  let authority = {};
  if ((scheme !== '' || (!viaRequest && !rest.startsWith('///'))) && rest.startsWith('//')) {
    const slash = rest.indexOf('/', 2);
    authority = parseAuthority(slash < 0 ? rest.slice(2) : rest.slice(2, slash), scheme);
    rest = slash < 0 ? '' : rest.slice(slash);
  }
  checkEscapes(rest);
  return { ...found, ...authority, path: rest };
}

function splitScheme(text: string): { scheme: string; rest: string } {
  const match = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text);
  if (match?.[1] !== undefined) return { scheme: match[1].toLowerCase(), rest: text.slice(match[0].length) };
  if (text.startsWith(':')) throw new URLProblem('missing protocol scheme');
  return { scheme: '', rest: text };
}

function parseAuthority(authority: string, scheme: string): { host: string; user?: string } {
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  checkHost(host, scheme);
  if (at < 0) return { host };
  const user = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) throw new URLProblem('net/url: invalid userinfo');
  checkEscapes(user);
  return { host, user };
}

function checkHost(host: string, scheme: string): void {
  let port = '';
  let inside: string | undefined;
  if (host.startsWith('[')) {
    const close = host.lastIndexOf(']');
    if (close < 0) throw new URLProblem("missing ']' in host");
    port = host.slice(close + 1);
    inside = host.slice(1, close);
  } else {
    // Other schemes list several hosts: mysql://a:1,b:2.
    const colon = scheme === 'http' || scheme === 'https' ? host.indexOf(':') : host.lastIndexOf(':');
    if (colon >= 0) port = host.slice(colon);
  }
  if (!/^(?::[0-9]*)?$/.test(port)) throw new URLProblem(`invalid port ${goQuote(port)} after host`);
  // Only bytes beyond ASCII, and % in a zone, may be escaped in a host.
  const escape = /%(?![89a-fA-F][0-9a-fA-F]|25)(.{0,2})/.exec(host);
  if (escape !== null) throw new URLProblem(`invalid URL escape ${goQuote(escape[0])}`);
  const odd = /[\u0020#%/?@\\^`{|}]/.exec(host.replace(/%[0-9a-fA-F]{2}/g, ''));
  if (odd !== null) throw new URLProblem(`invalid character ${goQuote(odd[0])} in host name`);
  if (inside === undefined) return;
  const [address = ''] = inside.split('%', 1);
  const parsed = parseIPAddress(address);
  if (parsed === undefined || !address.includes(':') || parsed.leadingZeros)
    throw new URLProblem(`invalid host: ParseAddr(${goQuote(inside)}): unable to parse IP`);
}

function checkEscapes(text: string): void {
  const escape = /%(?![0-9a-fA-F]{2}).{0,2}/.exec(text);
  if (escape !== null) throw new URLProblem(`invalid URL escape ${goQuote(escape[0])}`);
}
