import { textOfBytes } from './utf8.ts';

/**
 * A path of a request without its percent escapes, as Go's url.PathUnescape has it: what they spell need be no UTF-8
 * (see textOfBytes). Characters up to U+00FF stand for the bytes that node:http2 has read.
 *
 * @param path all of its escapes are whole
 */
export function unescapePath(path: string): string {
  const bytes = Buffer.from(path, 'latin1');
  let length = 0;
  for (let at = 0; at < path.length; at++) {
    const isEscape = path[at] === '%';
    bytes[length++] = isEscape ? Number.parseInt(path.slice(at + 1, at + 3), 16) : (bytes[at] as number);
    if (isEscape) at += 2;
  }
  return textOfBytes(bytes, 0, length);
}
