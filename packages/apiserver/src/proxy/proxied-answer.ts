import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip, deflateRawSync, gzipSync, createInflateRaw } from 'node:zlib';
import { rewriteLinks } from './html-links.ts';

/** Headers of one connection, not of the answer. */
const hopByHop: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'proxy-authenticate', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade']);

/** Pages that are longer are sent as they are, so that nobody fills the memory with them. */
const maxPageBytes = 8 << 20;

/** What happens to an answer on its way to the client. */
export interface ProxiedAnswerOptions {
  /** The answer is packed because this server asked for it, not the client. */
  readonly unpack: boolean;
  /** What becomes of links: of the Location header and of HTML pages. */
  readonly rewriteLink: (link: string) => string;
  /** Lower-case headers of the backend that clients must not see. */
  readonly withheld?: ReadonlySet<string>;
}

/** Sends the backend's answer to the client, chunk by chunk with back-pressure; HTML pages as a whole, for their links. */
export function sendProxiedAnswer(answer: IncomingMessage, response: ServerResponse, options: ProxiedAnswerOptions): void {
  const status = answer.statusCode ?? 502;
  const encoding = answer.headers['content-encoding'];
  const unpack = options.unpack && encoding === 'gzip';
  addHeaders(response, answer, { ...options, unpack });
  answer.on('error', () => { response.destroy(); });
  if (answer.headers.location === undefined && isSmallPage(answer) && response.req.method !== 'HEAD') {
    sendPage(answer, response, { status, encoding, packed: !unpack, rewrite: options.rewriteLink });
    return;
  }
  if (mayHaveTrailers(answer, response, status)) forwardTrailers(answer, response);
  response.writeHead(status);
  // What is of unknown length may be a stream: its headers must not wait for its first bytes.
  if (answer.headers['content-length'] === undefined) response.flushHeaders();
  const body = unpack ? answer.pipe(createGunzip()).on('error', () => { response.destroy(); }) : answer;
  body.pipe(response);
}

/** Trailers end bodies of unknown length, where there is a body; Node throws for headers that announce any elsewhere. */
function mayHaveTrailers({ headers }: IncomingMessage, { req }: ServerResponse, status: number): boolean {
  return headers['content-length'] === undefined && req.httpVersion !== '1.0' && req.method !== 'HEAD' && status !== 204 && status !== 304;
}

/** Sends the backend's trailers after its body, announced where it has announced them. */
function forwardTrailers(answer: IncomingMessage, response: ServerResponse): void {
  const announced = answer.headers.trailer;
  if (announced !== undefined) response.setHeader('Trailer', announced);
  // Before the listener that ends the response.
  answer.once('end', () => {
    const trailers: [string, string][] = [];
    for (let i = 0; i < answer.rawTrailers.length; i += 2) trailers.push([answer.rawTrailers[i] as string, answer.rawTrailers[i + 1] as string]);
    if (trailers.length > 0) response.addTrailers(trailers);
  });
}

function isSmallPage({ headers }: IncomingMessage): boolean {
  const { 'content-type': contentType = '', 'content-encoding': encoding = '' } = headers;
  return contentType.split(';', 1)[0]?.trim() === 'text/html' && ['', 'gzip', 'deflate'].includes(encoding) && Number(headers['content-length'] ?? 0) <= maxPageBytes;
}

/** Sends a page with its links rewritten, packed as it came unless the client wants it plain; the length is known only then. */
function sendPage(answer: IncomingMessage, response: ServerResponse, { status, encoding, packed, rewrite }: { readonly status: number; readonly encoding: string | undefined; readonly packed: boolean; readonly rewrite: (link: string) => string }): void {
  const page: Readable = encoding === 'gzip' ? answer.pipe(createGunzip()) : encoding === 'deflate' ? answer.pipe(createInflateRaw()) : answer;
  const chunks: Buffer[] = [];
  page.on('data', (chunk: Buffer) => { chunks.push(chunk); });
  page.on('error', () => { response.destroy(); });
  page.on('end', () => {
    const text = Buffer.from(rewriteLinks(Buffer.concat(chunks).toString(), rewrite));
    const body = !packed ? text : encoding === 'gzip' ? gzipSync(text) : encoding === 'deflate' ? deflateRawSync(text, { level: 9 }) : text;
    response.removeHeader('Transfer-Encoding');
    response.setHeader('Content-Length', body.length);
    response.writeHead(status);
    response.end(body);
  });
}

/** The answer's headers beside those that the filters have set already: both are sent where both exist. */
function addHeaders(response: ServerResponse, answer: IncomingMessage, { unpack, rewriteLink, withheld }: ProxiedAnswerOptions): void {
  const named = new Set((answer.headers.connection ?? '').toLowerCase().split(',').map((name) => name.trim()));
  const own = new Map(Object.entries(response.getHeaders()));
  const { rawHeaders } = answer;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] as string).toLowerCase();
    if (hopByHop.has(name) || named.has(name) || withheld?.has(name) === true || (unpack && (name === 'content-encoding' || name === 'content-length'))) continue;
    if (name === 'audit-id' || (name === 'content-type' && answer.statusCode === 304)) continue;
    const value = name === 'location' ? rewriteLink(rawHeaders[i + 1] as string) : rawHeaders[i + 1] as string;
    const before = response.getHeader(name);
    if (before === undefined || (name === 'date' && own.has(name))) response.setHeader(name, value);
    else response.appendHeader(name, value);
  }
}
