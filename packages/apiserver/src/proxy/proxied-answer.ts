import { limits } from '@kubechain/apimachinery';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip, createInflateRaw, deflateRaw, gzip } from 'node:zlib';
import type { Turns } from '../request/turns.ts';
import { cutResponse } from '../responses/cut-response.ts';
import { isSendableStatus } from '../responses/sendable-status.ts';
import { writeTextError } from '../responses/write-text.ts';
import { detectContentType } from './detect-content-type.ts';
import { GatheredBody } from '../request/gathered-body.ts';
import { rewriteLinks } from './html-links.ts';
import { statusText } from './status-text.ts';

/** Headers of one connection, not of the answer. */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Statuses whose answers have no body, and no length in Go. */
const bodiless: ReadonlySet<number> = new Set([204, 304]);

const packers = { gzip: promisify(gzip), deflate: promisify(deflateRaw) } as const;

/** Pages that are longer are sent as they are, so that nobody fills the memory with them. */
const maxPageBytes = limits.proxiedPage.value;

/** Headers with which a backend would speak for this server. */
export const corsHeaders: ReadonlySet<string> = new Set([
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
]);

/** What happens to an answer on its way to the client. */
export interface ProxiedAnswerOptions {
  /** The answer is packed because this server asked for it, not the client. */
  readonly unpack: boolean;
  /** What becomes of links: of the Location header and of HTML pages. */
  readonly rewriteLink: (link: string) => string;
  /** Lower-case headers of the backend that clients must not see. */
  readonly withheld?: ReadonlySet<string>;
  /** Those of the request: bodies of very many pieces and pages of very many links take some. */
  readonly turns: Turns;
}

/**
 * Sends the backend's answer to the client, chunk by chunk with back-pressure; HTML pages as a whole, for their links.
 */
export function sendProxiedAnswer(
  answer: IncomingMessage,
  response: ServerResponse,
  options: ProxiedAnswerOptions,
): void {
  const status = answer.statusCode ?? 502;
  if (!isSendableStatus(status, response.req)) {
    answer.destroy();
    writeTextError(response, 502, `the backend has answered with ${status}, which is no status that can be handed on`);
    return;
  }
  const encoding = answer.headers['content-encoding'];
  const length = lengthOf(answer);
  const unpack = options.unpack && encoding?.toLowerCase() === 'gzip' && length !== '0';
  addHeaders(response, answer, { ...options, unpack });
  // HTTP/2 has no phrases.
  if (response.req.httpVersionMajor < 2) response.statusMessage = statusText(status);
  const whole = new GatheredBody(answer, options.turns).on('error', () => {
    if (!answer.complete) cutResponse(response);
  });
  if (answer.headers.location === undefined && isSmallPage(answer) && response.req.method !== 'HEAD') {
    const { rewriteLink: rewrite, turns } = options;
    sendPage(whole, response, { status, encoding, packed: !unpack, rewrite, turns });
    return;
  }
  if (mayHaveTrailers(answer, response, status)) forwardTrailers(answer, response);
  if (wantsType(answer, response, status)) {
    sendTyped(whole, response, status);
    return;
  }
  response.writeHead(status);
  // What is of unknown length may be a stream: its headers must not wait for its first bytes.
  if (length === undefined || unpack) response.flushHeaders();
  const body = unpack
    ? whole.pipe(createGunzip()).on('error', () => {
        cutResponse(response);
      })
    : whole;
  body.pipe(response);
}

/** The length of the body as it comes; none of a body in chunks, whatever else the backend says of it. */
function lengthOf({ headers }: IncomingMessage): string | undefined {
  return headers['transfer-encoding'] === undefined ? headers['content-length'] : undefined;
}

/**
 * Go's server tells the type of a body that the backend gave none, unless it has sent the headers before the body, as
 * those of streams.
 */
function wantsType(answer: IncomingMessage, response: ServerResponse, status: number): boolean {
  const { 'content-encoding': encoding, 'content-type': type } = answer.headers;
  const length = lengthOf(answer) ?? '0';
  return (
    type === undefined &&
    encoding === undefined &&
    length !== '0' &&
    response.req.method !== 'HEAD' &&
    !bodiless.has(status) &&
    !response.hasHeader('Content-Type')
  );
}

function sendTyped(body: Readable, response: ServerResponse, status: number): void {
  const send = (first: Buffer): void => {
    response.setHeader('Content-Type', detectContentType(first));
    response.writeHead(status);
    response.write(first);
    body.pipe(response);
  };
  body.once('readable', () => {
    const first = body.read() as Buffer | null;
    if (first !== null) send(first);
    else cutResponse(response);
  });
}

/**
 * Trailers end bodies of unknown length, where there is a body; Node throws for headers that announce any elsewhere.
 */
function mayHaveTrailers(answer: IncomingMessage, { req }: ServerResponse, status: number): boolean {
  return lengthOf(answer) === undefined && req.httpVersion !== '1.0' && req.method !== 'HEAD' && !bodiless.has(status);
}

/** Sends the backend's trailers after its body, announced where it has announced them. */
function forwardTrailers(answer: IncomingMessage, response: ServerResponse): void {
  const announced = answer.headers.trailer;
  if (announced !== undefined) response.setHeader('Trailer', announced);
  // Before the listener that ends the response.
  answer.once('end', () => {
    const trailers: [string, string][] = [];
    for (let i = 0; i < answer.rawTrailers.length; i += 2)
      trailers.push([answer.rawTrailers[i] as string, answer.rawTrailers[i + 1] as string]);
    try {
      if (trailers.length > 0) response.addTrailers(trailers);
    } catch {
      // Of letters that no field has: the body is whole without them.
    }
  });
}

function isSmallPage({ headers }: IncomingMessage): boolean {
  const { 'content-type': contentType = '', 'content-encoding': encoding = '' } = headers;
  return (
    contentType.split(';', 1)[0]?.trim() === 'text/html' &&
    ['', 'gzip', 'deflate'].includes(encoding) &&
    Number(headers['content-length'] ?? 0) <= maxPageBytes
  );
}

/**
 * Sends a page with its links rewritten, packed as it came unless the client wants it plain; the length is known only
 * then.
 */
function sendPage(
  body: Readable,
  response: ServerResponse,
  {
    status,
    encoding,
    packed,
    rewrite,
    turns,
  }: {
    readonly status: number;
    readonly encoding: string | undefined;
    readonly packed: boolean;
    readonly rewrite: (link: string) => string;
    readonly turns: Turns;
  },
): void {
  const page: Readable =
    encoding === 'gzip' ? body.pipe(createGunzip()) : encoding === 'deflate' ? body.pipe(createInflateRaw()) : body;
  const chunks: Buffer[] = [];
  let size = 0;
  const take = (chunk: Buffer): void => {
    chunks.push(chunk);
    size += chunk.length;
    if (size <= maxPageBytes) return;
    // Whatever length it told: too long to be kept. It goes on as it is, and unpacked.
    page.off('data', take);
    page.off('end', finish);
    response.removeHeader('Content-Length');
    if (encoding !== undefined) response.removeHeader('Content-Encoding');
    response.writeHead(status);
    for (const part of chunks.splice(0)) response.write(part);
    page.pipe(response);
  };
  page.on('error', () => {
    cutResponse(response);
  });
  async function send(): Promise<void> {
    const text = await rewriteLinks(Buffer.concat(chunks.splice(0)).toString(), rewrite, () => turns.next());
    const pack = packed && (encoding === 'gzip' || encoding === 'deflate') ? packers[encoding] : undefined;
    const sent = pack === undefined ? text : await pack(text, encoding === 'deflate' ? { level: 9 } : {});
    if (response.destroyed) return;
    response.removeHeader('Transfer-Encoding');
    response.setHeader('Content-Length', sent.length);
    response.writeHead(status);
    response.end(sent);
  }
  function finish(): void {
    // The request is over, or there is no more memory.
    send().catch(() => {
      cutResponse(response);
    });
  }
  page.on('data', take);
  page.on('end', finish);
}

/** The answer's headers beside those that the filters have set already: both are sent where both exist. */
function addHeaders(
  response: ServerResponse,
  answer: IncomingMessage,
  { unpack, rewriteLink, withheld }: ProxiedAnswerOptions,
): void {
  const unsized = lengthOf(answer) === undefined;
  const named = new Set(
    (answer.headers.connection ?? '')
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  );
  const own = new Map(Object.entries(response.getHeaders()));
  const { rawHeaders } = answer;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] as string).toLowerCase();
    if (
      hopByHop.has(name) ||
      named.has(name) ||
      withheld?.has(name) === true ||
      (unpack && name === 'content-encoding') ||
      ((unpack || unsized) && name === 'content-length')
    )
      continue;
    if (
      bodiless.has(answer.statusCode ?? 0) &&
      (name === 'content-length' || (name === 'content-type' && answer.statusCode === 304))
    )
      continue;
    const value = name === 'location' ? rewriteLink(rawHeaders[i + 1] as string) : (rawHeaders[i + 1] as string);
    const before = response.getHeader(name);
    if (before === undefined || (name === 'date' && own.has(name))) response.setHeader(name, value);
    else response.appendHeader(name, value);
  }
}
