import { parseQuery } from '@kubechain/apimachinery';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { writeError } from '../responses/write-status.ts';
import { acceptedClauses, acceptedRepresentation, representations } from './media-type.ts';
import { serveContent } from './serve-content.ts';
import type { StoredDocument } from './stored-document.ts';

const yearMs = 365 * 86_400_000;

export interface DocumentAnswer {
  /** `apis/apps/v1`. */
  readonly name: string;
  readonly document: StoredDocument;
  /** What follows the `?` of the request. */
  readonly query: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Sends a version 3 document (kube-openapi's handler3, 1.36): with its hash in the query it may be kept for ever,
 * with another one the client is sent to the right one, without one it is revalidated by its tag.
 */
export function serveDocumentV3(
  request: IncomingMessage,
  response: ServerResponse,
  { document, name, now, query }: DocumentAnswer,
): void {
  response.setHeader('Vary', 'Accept');
  const representation = acceptedRepresentation(request.headers.accept, representations('v3'));
  if (representation === undefined) {
    // A header of which nothing can be read is answered with nothing.
    endEmpty(response, acceptedClauses(request.headers.accept).length === 0 ? 200 : 406);
    return;
  }
  const hash = parseQuery(query).get('hash') ?? '';
  const { contentType, format } = representation;
  if (hash !== '' && hash !== document.etag) {
    response.setHeader('Content-Type', contentType);
    response.setHeader('ETag', `"${document.etag}"`);
    response.setHeader('Location', `/openapi/v3/${name}?hash=${document.etag}`);
    endEmpty(response, 301);
    return;
  }
  if (hash !== '') {
    response.setHeader('Cache-Control', 'public, immutable');
    response.setHeader('Expires', new Date(now + yearMs).toUTCString());
  }
  const content = { etag: document.etag, lastModified: document.lastModified, contentType };
  const bytes =
    format === 'json'
      ? document.plain()
      : document.written(format, async (of) => (await import('./gnostic/encode.ts')).encodeV3(of));
  if (!(bytes instanceof Promise)) {
    serveContent(request, response, { ...content, bytes });
    return;
  }
  bytes
    .then((made) => {
      serveContent(request, response, { ...content, bytes: made });
    })
    .catch((error: unknown) => {
      writeError(request, response, error);
    });
}

/** Ends an answer that has no body. */
export function endEmpty(response: ServerResponse, code: number): void {
  response.statusCode = code;
  response.setHeader('Content-Length', 0);
  response.end();
}
