import type { IncomingMessage, ServerResponse } from 'node:http';
import { writeTextError } from '../responses/write-text.ts';

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

/**
 * Answers with bytes as Go's http.ServeContent does: conditional requests (304, 412), one byte range (206, 416), HEAD.
 * Several ranges are answered with everything.
 */
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
  if (hasOther(request, content)) {
    response.setHeader('Content-Type', contentType);
    response.statusCode = 412;
    response.end();
    return undefined;
  }
  if (isUnchanged(request, content)) {
    // A tag says more than a time (net/http fs.go, writeNotModified).
    if (etag !== undefined) response.removeHeader('Last-Modified');
    response.removeHeader('Content-Encoding');
    response.statusCode = 304;
    response.end();
    return undefined;
  }
  response.setHeader('Content-Type', contentType);
  const range = isPartOf(request, content) ? rangeOf(request.headers.range, size) : undefined;
  if (typeof range === 'string') {
    if (range === noOverlap) response.setHeader('Content-Range', `bytes */${size}`);
    for (const name of ofContent) response.removeHeader(name);
    writeTextError(response, 416, range);
    return undefined;
  }
  response.setHeader('Accept-Ranges', 'bytes');
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
  return since !== undefined && inSeconds(lastModified) <= Date.parse(since);
}

function isUnchanged(request: IncomingMessage, { etag, lastModified }: ContentFacts): boolean {
  const known = request.headers['if-none-match'];
  if (known !== undefined && known !== '')
    return known
      .split(',')
      .some((tag) => tag.trim() === '*' || (etag !== undefined && tag.trim().replace(/^W\//, '') === `"${etag}"`));
  return isUnmodified(request, lastModified);
}

/** Whether the client wants what it knows, and the content is something else (If-Match, If-Unmodified-Since). */
function hasOther(request: IncomingMessage, { etag, lastModified }: ContentFacts): boolean {
  const known = request.headers['if-match'];
  if (known !== undefined && known !== '')
    return !known.split(',').some((tag) => tag.trim() === '*' || (etag !== undefined && tag.trim() === `"${etag}"`));
  const since = Date.parse(request.headers['if-unmodified-since'] ?? '');
  return !Number.isNaN(since) && inSeconds(lastModified) > since;
}

/** Whether a range of what the client knows is one of the content, by its tag or its time (If-Range). */
function isPartOf(request: IncomingMessage, { etag, lastModified }: ContentFacts): boolean {
  const known = request.headers['if-range'];
  if (typeof known !== 'string' || known === '') return true;
  return known.startsWith('"') || known.startsWith('W/"')
    ? etag !== undefined && known === `"${etag}"`
    : Date.parse(known) === inSeconds(lastModified);
}

/** Milliseconds of a time as headers tell it. */
function inSeconds(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}

const noOverlap = 'invalid range: failed to overlap';
const invalidRange = 'invalid range';
/** Headers of a content that what is said in its place does not have. */
const ofContent = ['Cache-Control', 'Content-Encoding', 'ETag', 'Last-Modified'];

/** The one range that a request asks for, or what is wrong with it; several are answered with everything. */
function rangeOf(header: string | undefined, size: number): ByteRange | string | undefined {
  if (header === undefined || header === '') return undefined;
  if (!header.startsWith('bytes=')) return invalidRange;
  const pieces = header
    .slice('bytes='.length)
    .split(',')
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
  const ranges: ByteRange[] = [];
  for (const piece of pieces) {
    const match = /^(\d*)\s*-\s*(\d*)$/.exec(piece);
    if (match === null || (match[1] === '' && match[2] === '')) return invalidRange;
    const [, first = '', last = ''] = match;
    const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
    if (first !== '' && start >= size) continue;
    const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
    if (end <= start && first !== '') return invalidRange;
    ranges.push({ start, end });
  }
  if (pieces.length > 0 && ranges.length === 0) return noOverlap;
  return ranges.length === 1 ? ranges[0] : undefined;
}
