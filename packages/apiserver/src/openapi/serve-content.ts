import type { IncomingMessage, ServerResponse } from 'node:http';

/** What is known of a content before it is sent. */
export interface ContentFacts {
  /** Without quotes. */
  readonly etag?: string;
  /** Milliseconds since the epoch. */
  readonly lastModified: number;
  readonly contentType: string;
}

export interface Content extends ContentFacts {
  readonly bytes: Buffer;
}

/** Bytes of a content, the last one not among them. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Answers with bytes as Go's http.ServeContent does: conditional requests (304), one byte range (206, 416), HEAD. */
export function serveContent(request: IncomingMessage, response: ServerResponse, content: Content): void {
  const { bytes } = content;
  const range = beginContent(request, response, { ...content, size: bytes.length });
  if (range !== undefined) response.end(bytes.subarray(range.start, range.end));
}

/**
 * Sets status and headers of such an answer. Returns what of the content is to be sent; undefined: the answer has ended
 * already.
 */
export function beginContent(
  request: IncomingMessage,
  response: ServerResponse,
  content: ContentFacts & { readonly size: number },
): ByteRange | undefined {
  const { contentType, etag, lastModified, size } = content;
  response.setHeader('Last-Modified', new Date(lastModified).toUTCString());
  if (etag !== undefined) response.setHeader('ETag', `"${etag}"`);
  if (isUnchanged(request, content)) {
    response.statusCode = 304;
    response.end();
    return undefined;
  }
  response.setHeader('Content-Type', contentType);
  response.setHeader('Accept-Ranges', 'bytes');
  const range = rangeOf(request.headers.range, size);
  if (range === 'unsatisfiable') {
    response.setHeader('Content-Range', `bytes */${size}`);
    response.setHeader('Content-Type', 'text/plain; charset=utf-8');
    response.statusCode = 416;
    response.end('invalid range: failed to overlap\n');
    return undefined;
  }
  if (range !== undefined) response.setHeader('Content-Range', `bytes ${range.start}-${range.end - 1}/${size}`);
  response.statusCode = range === undefined ? 200 : 206;
  const { start, end } = range ?? { start: 0, end: size };
  // What is compressed has no length of its own in the reference's answers, but clients are better off with one.
  response.setHeader('Content-Length', end - start);
  if (request.method !== 'HEAD') return { start, end };
  response.end();
  return undefined;
}

/** Whether the client has what was last changed at that time (If-Modified-Since, in seconds). */
export function isUnmodified(request: IncomingMessage, lastModified: number): boolean {
  const since = request.headers['if-modified-since'];
  return since !== undefined && Math.floor(lastModified / 1000) * 1000 <= Date.parse(since);
}

function isUnchanged(request: IncomingMessage, { etag, lastModified }: ContentFacts): boolean {
  const known = request.headers['if-none-match'];
  if (known !== undefined)
    return known
      .split(',')
      .some((tag) => tag.trim() === '*' || (etag !== undefined && tag.trim().replace(/^W\//, '') === `"${etag}"`));
  return isUnmodified(request, lastModified);
}

/** The one range that a request asks for; several are answered with everything. */
function rangeOf(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const match = header === undefined ? null : /^bytes=(\d*)-(\d*)$/.exec(header);
  if (match === null || (match[1] === '' && match[2] === '')) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '') return { start: Math.max(0, size - Number(last)), end: size };
  const start = Number(first);
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size : Math.min(size, Number(last) + 1) };
}
