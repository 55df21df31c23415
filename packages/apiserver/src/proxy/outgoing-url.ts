/**
 * The path and query of a request as Go writes them after having parsed them: paths decoded and escaped again, query
 * parameters sorted by name.
 */
export function outgoingURL(target: string): string {
  const url = originForm(target);
  const question = url.indexOf('?');
  if (question < 0) return escapePath(url);
  const query = sortedQuery(url.slice(question + 1));
  return query === '' ? escapePath(url.slice(0, question)) : `${escapePath(url.slice(0, question))}?${query}`;
}

/** A request's target without scheme and host, which absolute forms begin with. */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const url = target.replace(/^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/?#]*/, '');
  return url.startsWith('/') ? url : `/${url}`;
}

/**
 * Bytes that url.EscapedPath leaves as they are; everything else is percent-encoded, an encoded slash becomes a slash.
 */
const plainInPath = /^[A-Za-z0-9\-_.~$&+,/:;=@]*$/;
const plainInQuery = /^[A-Za-z0-9\-_.~]*$/;

/** The escaped form of a path that may be escaped differently. */
export function escapePath(path: string): string {
  return plainInPath.test(path) ? path : escapeBytes(unescapeBytes(path), plainInPath);
}

/** The escaped form of a path without escapes (url.URL.EscapedPath of a Path alone). */
export function escapeDecodedPath(path: string): string {
  return plainInPath.test(path) ? path : escapeBytes(Buffer.from(path), plainInPath);
}

/** A query as url.Values.Encode writes it: sorted by name, values of one name in their order. */
export function encodeQuery(pairs: readonly (readonly [name: string, value: string])[]): string {
  return pairs
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([name, value]) => `${escapeQuery(Buffer.from(name))}=${escapeQuery(Buffer.from(value))}`)
    .join('&');
}

function sortedQuery(query: string): string {
  const pairs: { readonly name: string; readonly text: string }[] = [];
  for (const part of query.split('&')) {
    // url.ParseQuery drops what it cannot read, semicolons among it.
    if (part === '' || part.includes(';') || /%(?![0-9A-Fa-f]{2})/.test(part)) continue;
    const equals = part.indexOf('=');
    const name = queryBytes(equals < 0 ? part : part.slice(0, equals));
    const value = equals < 0 ? Buffer.alloc(0) : queryBytes(part.slice(equals + 1));
    pairs.push({ name: name.toString('latin1'), text: `${escapeQuery(name)}=${escapeQuery(value)}` });
  }
  // Sorting is stable: values of one name keep their order.
  return pairs
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map(({ text }) => text)
    .join('&');
}

function queryBytes(text: string): Buffer {
  return unescapeBytes(text.replaceAll('+', ' '));
}

function escapeQuery(bytes: Buffer): string {
  return escapeBytes(bytes, plainInQuery).replaceAll('%20', '+');
}

function unescapeBytes(text: string): Buffer {
  const source = Buffer.from(text);
  const bytes: number[] = [];
  for (let at = 0; at < source.length; at++) {
    const byte = source[at] as number;
    const code = byte === 0x25 ? Number.parseInt(source.toString('latin1', at + 1, at + 3), 16) : Number.NaN;
    if (Number.isNaN(code)) bytes.push(byte);
    else {
      bytes.push(code);
      at += 2;
    }
  }
  return Buffer.from(bytes);
}

function escapeBytes(bytes: Buffer, plain: RegExp): string {
  let text = '';
  for (const byte of bytes) {
    const character = String.fromCharCode(byte);
    text += byte < 0x80 && plain.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return text;
}
