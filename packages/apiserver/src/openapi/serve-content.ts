import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Content {
  readonly bytes: Buffer;
  /** Without quotes. */
  readonly etag?: string;
  /** Milliseconds since the epoch. */
  readonly lastModified: number;
  readonly contentType: string;
}

/** Answers with bytes as Go's http.ServeContent does: conditional requests (304), one byte range (206, 416), HEAD. */
export function serveContent(request: IncomingMessage, response: ServerResponse, content: Content): void {
  const { bytes, contentType, etag, lastModified } = content;
  response.setHeader('Last-Modified', new Date(lastModified).toUTCString());
  if (etag !== undefined) response.setHeader('ETag', `"${etag}"`);
  if (isUnchanged(request, content)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  response.setHeader('Content-Type', contentType);
  response.setHeader('Accept-Ranges', 'bytes');
  const range = rangeOf(request.headers.range, bytes.length);
  if (range === 'unsatisfiable') {
    response.setHeader('Content-Range', `bytes */${bytes.length}`);
    response.setHeader('Content-Type', 'text/plain; charset=utf-8');
    response.statusCode = 416;
    response.end('invalid range: failed to overlap\n');
    return;
  }
  const body = range === undefined ? bytes : bytes.subarray(range.start, range.end);
  if (range !== undefined) response.setHeader('Content-Range', `bytes ${range.start}-${range.end - 1}/${bytes.length}`);
  response.statusCode = range === undefined ? 200 : 206;
  // What is compressed has no length of its own in the reference's answers, but clients are better off with one.
  response.setHeader('Content-Length', body.length);
  if (request.method === 'HEAD') response.end();
  else response.end(body);
}

function isUnchanged(request: IncomingMessage, { etag, lastModified }: Content): boolean {
  const known = request.headers['if-none-match'];
  if (known !== undefined)
    return known
      .split(',')
      .some((tag) => tag.trim() === '*' || (etag !== undefined && tag.trim().replace(/^W\//, '') === `"${etag}"`));
  const since = request.headers['if-modified-since'];
  return since !== undefined && Math.floor(lastModified / 1000) * 1000 <= Date.parse(since);
}

/** The one range that a request asks for; several are answered with everything. */
function rangeOf(
  header: string | undefined,
  size: number,
): { readonly start: number; readonly end: number } | 'unsatisfiable' | undefined {
  const match = header === undefined ? null : /^bytes=(\d*)-(\d*)$/.exec(header);
  if (match === null || (match[1] === '' && match[2] === '')) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '') return { start: Math.max(0, size - Number(last)), end: size };
  const start = Number(first);
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size : Math.min(size, Number(last) + 1) };
}
