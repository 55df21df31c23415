import { LinkProtocolError } from './frames.ts';

/** Ends a field. No name, value, method or URL of HTTP can have it. */
const separator = '\n';
const separatorByte = 0x0a;

/**
 * A list of short texts as one text of Latin-1, as Node gives and takes header values, each ended by a line feed: one
 * join and one split cost less than a length before each.
 * @returns undefined when a text has a line feed in it
 */
export function fieldsText(fields: readonly string[]): string | undefined {
  if (fields.length === 0) return '';
  const text = fields.join(separator) + separator;
  let found = 0;
  for (let at = text.indexOf(separator); at !== -1; at = text.indexOf(separator, at + 1)) found++;
  return found === fields.length ? text : undefined;
}

/** @throws LinkProtocolError for bytes that do not end with a field's end */
export function readFields(bytes: Buffer, from = 0): string[] {
  if (bytes.length === from) return [];
  if (bytes[bytes.length - 1] !== separatorByte) throw new LinkProtocolError('fields without an end');
  return bytes.toString('latin1', from, bytes.length - 1).split(separator);
}

/** The number that a `credit` frame has. @throws LinkProtocolError */
export function readCredit(payload: Buffer): number {
  if (payload.length !== 4) throw new LinkProtocolError('credit of no size');
  return payload.readUInt32BE(0);
}

/** Values by lower-case names, as `IncomingMessage.headers` has them, of names and values in turn. */
export function headersOf(
  fields: readonly string[],
  before?: Readonly<Record<string, string>>,
): Record<string, string> {
  const headers = Object.create(null) as Record<string, string>;
  if (before !== undefined) for (const name in before) headers[name] = before[name] as string;
  for (let i = 0; i < fields.length; i += 2) {
    const name = (fields[i] as string).toLowerCase();
    const value = fields[i + 1] as string;
    const earlier = headers[name];
    if (earlier === undefined) headers[name] = value;
    else if (!onlyOnce.has(name)) headers[name] = `${earlier}${name === 'cookie' ? '; ' : ', '}${value}`;
  }
  return headers;
}

/** Of these Node takes the first, too (message.headers). */
const onlyOnce: ReadonlySet<string> = new Set([
  'age',
  'authorization',
  'content-length',
  'content-type',
  'etag',
  'expires',
  'from',
  'host',
  'if-modified-since',
  'if-unmodified-since',
  'last-modified',
  'location',
  'max-forwards',
  'proxy-authorization',
  'referer',
  'retry-after',
  'server',
  'user-agent',
]);
