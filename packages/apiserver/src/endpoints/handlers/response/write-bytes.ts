import { createGzip } from 'node:zlib';
import { limits } from '@kubechain/apimachinery';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import { cutResponse } from '../../../responses/cut-response.ts';
import { giveBack } from './batches.ts';

/** Answers above this size are compressed for clients that accept it; so does the reference. */
const gzipThresholdBytes = 128 * 1024;
/** Level of the reference: far cheaper than the others, and nearly as small. */
const gzipLevel = 1;
/** A newline is appended to bodies below this size by copying them, which costs less than a second write. */
const copyBelowBytes = 16 * 1024;

const newline = Buffer.from('\n');

export interface BodyOptions {
  readonly code: number;
  readonly contentType: string;
}

/** Sends one JSON object, with the newline that ends it. */
export function writeJSON(
  request: IncomingMessage,
  response: ServerResponse,
  json: Uint8Array,
  options: BodyOptions,
): void {
  if (json.length > gzipThresholdBytes && acceptsGzip(request)) {
    void writeChunks(request, response, [json, newline], { ...options, size: json.length + 1 });
    return;
  }
  begin(response, options);
  response.setHeader('Content-Length', json.length + 1);
  if (json.length < copyBelowBytes) {
    const body = Buffer.allocUnsafe(json.length + 1);
    body.set(json);
    body[json.length] = 0x0a;
    response.end(body);
  } else {
    response.write(json);
    response.end(newline);
  }
}

/** Sends a body as it is. */
export function writeBody(
  request: IncomingMessage,
  response: ServerResponse,
  body: Uint8Array,
  options: BodyOptions,
): void {
  if (body.length > gzipThresholdBytes && acceptsGzip(request)) {
    void writeChunks(request, response, [body], { ...options, size: body.length });
    return;
  }
  begin(response, options);
  response.setHeader('Content-Length', body.length);
  response.end(body);
}

/**
 * Sends `chunks`, of `size` bytes together, as fast as the client takes them: at most one chunk more than the
 * socket's buffer waits in memory. Resolves when all is handed over or the client is gone.
 */
export async function writeChunks(
  request: IncomingMessage,
  response: ServerResponse,
  chunks: Iterable<Uint8Array>,
  options: BodyOptions & { readonly size: number },
): Promise<void> {
  begin(response, options);
  let sink: Writable = response;
  if (options.size > gzipThresholdBytes && acceptsGzip(request)) sink = zipped(response);
  else response.setHeader('Content-Length', options.size);
  for (const chunk of chunks) {
    if (sink.destroyed) return;
    const wait = written(sink, chunk);
    if (wait !== undefined) await wait;
  }
  if (!sink.destroyed) sink.end();
}

/**
 * Sends a body that is made while it is sent, as fast as the client takes it. What cannot be made of its beginning
 * (limits.answerAhead) is told before anything is sent; later the answer breaks off.
 * @throws what `chunks` throws before anything is sent
 */
export async function writeMade(
  request: IncomingMessage,
  response: ServerResponse,
  chunks: AsyncIterator<Uint8Array>,
  options: BodyOptions & { readonly size?: number },
): Promise<void> {
  const ahead: Uint8Array[] = [];
  let size = 0;
  let next = await chunks.next();
  for (; next.done !== true && size < limits.answerAhead.value; next = await chunks.next()) {
    ahead.push(next.value);
    size += next.value.length;
  }
  if (next.done === true) {
    await writeChunks(request, response, ahead, { ...options, size });
    return;
  }
  begin(response, options);
  const isZipped = acceptsGzip(request);
  if (!isZipped && options.size !== undefined) response.setHeader('Content-Length', options.size);
  const sink = isZipped ? zipped(response) : response;
  try {
    for (const chunk of ahead.splice(0)) await written(sink, chunk);
    for (; next.done !== true && !sink.destroyed; next = await chunks.next()) await written(sink, next.value);
    if (!sink.destroyed) sink.end();
  } catch {
    cutResponse(response);
  }
}

function zipped(response: ServerResponse): Writable {
  response.setHeader('Content-Encoding', 'gzip');
  response.appendHeader('Vary', 'Accept-Encoding');
  const gzip = createGzip({ level: gzipLevel });
  gzip.pipe(response);
  response.once('close', () => {
    gzip.destroy();
  });
  return gzip;
}

/** Undefined, which need not be awaited, while the stream takes more. */
function written(sink: Writable, chunk: Uint8Array): Promise<void> | undefined {
  // Batches are filled again when they have left, whoever took them.
  return sink.write(chunk, () => {
    giveBack(chunk);
  })
    ? undefined
    : drained(sink);
}

function begin(response: ServerResponse, options: BodyOptions): void {
  response.statusCode = options.code;
  response.setHeader('Content-Type', options.contentType);
}

/** Resolves when the stream takes more or is gone. */
function drained(sink: Writable): Promise<void> {
  if (sink.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      sink.off('drain', done);
      sink.off('close', done);
      resolve();
    };
    sink.on('drain', done);
    sink.on('close', done);
  });
}

/** The exact token `gzip` in Accept-Encoding; tokens with a quality are not looked at, as in the reference. */
export function acceptsGzip(request: IncomingMessage): boolean {
  const header = request.headers['accept-encoding'];
  if (header === undefined || header === '') return false;
  if (header === 'gzip') return true;
  return header.split(',').some((token) => token.trim() === 'gzip');
}
