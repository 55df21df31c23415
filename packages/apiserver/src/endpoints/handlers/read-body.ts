import { badRequest, requestEntityTooLarge } from '@kubechain/apimachinery';
import { noted, type Span } from '@kubechain/shared-storage/tracing';
import type { IncomingMessage } from 'node:http';
import { isTooLargeHere } from '../../request/body-values.ts';
import type { BegunExchange } from '../../request/side-server.ts';
import type { RequestScope } from './request-scope.ts';

const empty = Buffer.alloc(0);

/**
 * The whole body of a request, at most `limitBytes`.
 *
 * @throws StatusError 413 for a longer one; the rest of it is read and dropped, so that the client can read the answer
 */
export function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  const announced = request.headers['content-length'];
  if (announced === '0') return Promise.resolve(empty);
  if (announced !== undefined && Number(announced) > limitBytes) {
    request.resume();
    return Promise.reject(tooLarge(limitBytes));
  }
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limitBytes) {
        chunks = [];
        reject(tooLarge(limitBytes));
      } else {
        chunks.push(chunk);
      }
    });
    request.once('end', () => {
      if (isCut(request)) reject(badRequest('unexpected EOF'));
      else resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
    });
    request.once('error', (error) => {
      reject(badRequest(error.message));
    });
    // Also comes after every body that was read whole: no error is made for those.
    request.once('close', () => {
      if (!request.readableEnded) reject(badRequest('unexpected EOF'));
    });
  });
}

/** As `readBody`, told to the step of a request that is traced, under the reference's names. */
function readTracedBody(request: IncomingMessage, limitBytes: number, span: Span | undefined): Promise<Buffer> {
  return noted(span, readPart, () => readBody(request, limitBytes));
}

/**
 * The body of a request that is to be answered here, at most as long as the scope says; undefined where the side server
 * answers it.
 * @throws StatusError as `readBody`
 */
export async function bodyToWorkOn(
  { maxRequestBodyBytes, sideServer }: RequestScope,
  exchange: BegunExchange,
): Promise<Buffer | undefined> {
  const { context, request } = exchange;
  const body = await readTracedBody(request, maxRequestBodyBytes, context.span);
  context.metrics?.bodyRead(context, body.length);
  if (sideServer === undefined || !isTooLargeHere(body, request.headers['content-type'])) return body;
  return (await sideServer.takes({ ...exchange, body })) ? undefined : body;
}

const readPart = {
  name: 'limitedReadBody',
  attributes: (body: Buffer | undefined) => ({ len: body?.length ?? 0 }),
};

/** A stream of HTTP/2 that the client has reset without an error ends as a whole one does. */
export function isCut(request: IncomingMessage): boolean {
  return (request as { readonly stream?: { readonly aborted: boolean } }).stream?.aborted === true;
}

function tooLarge(limitBytes: number): Error {
  return requestEntityTooLarge(`limit is ${limitBytes}`);
}
