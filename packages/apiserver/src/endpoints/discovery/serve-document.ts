import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { genericServerResponse, parseQuery } from '@kubechain/apimachinery';
import type { GroupVersionKind, KubeObject } from '@kubechain/apimachinery';
import { Turns } from '../../request/turns.ts';
import { encodeFormat, encodeObject } from '../handlers/response/encode-format.ts';
import { writeBody, writeJSON } from '../handlers/response/write-bytes.ts';
import { notAcceptable } from '../../negotiation/errors.ts';
import { builtInMediaTypes, type MediaType } from '../../negotiation/media-types.ts';
import { negotiate, plainOffer } from '../../negotiation/negotiate.ts';
import type { EndpointOffer, OutputMediaType } from '../../negotiation/negotiate.ts';
import { wantsPretty } from '../../negotiation/pretty.ts';
import { checkRouteAccept } from '../../negotiation/route-accept.ts';

/** The old v2beta1 form is not offered any more, as in 1.36. */
const aggregated: EndpointOffer = {
  mediaTypes: builtInMediaTypes,
  allowsTransform: (_type, target) => isAggregatedDiscovery(target),
  allowsServerVersion: () => false,
};

/** Whether a client asks for the aggregated form. */
function isAggregatedDiscovery(target: GroupVersionKind | undefined): boolean {
  return (
    target !== undefined &&
    target.group === 'apidiscovery.k8s.io' &&
    target.version === 'v2' &&
    target.kind === 'APIGroupDiscoveryList'
  );
}

/**
 * The representation of a root document (/api, /apis): the aggregated form wherever it is named, even after plain JSON.
 */
export function negotiateAggregated(request: IncomingMessage): OutputMediaType | undefined {
  return request.headers.accept?.includes('APIGroupDiscoveryList') === true
    ? negotiate(request.headers.accept, aggregated)
    : undefined;
}

/** A discovery document as bytes, with what it takes to answer conditional requests. */
export interface DiscoveryDocument {
  readonly json: Buffer;
  /** In quotes; only aggregated documents have one. */
  readonly etag?: string;
}

/** Compact JSON of a document; `tagged` gives it an ETag. */
export function discoveryDocument(content: unknown, tagged = false): DiscoveryDocument {
  const json = Buffer.from(JSON.stringify(content));
  return tagged ? { json, etag: `"${createHash('sha512').update(json).digest('hex').toUpperCase()}"` } : { json };
}

/** For documents that can only be read. @throws StatusError 405 */
export function checkMethod(request: IncomingMessage): void {
  if (request.method !== 'GET') throw genericServerResponse(405, request.method ?? '');
}

/**
 * Sends an unaggregated document. `unrouted`: it is none of the reference's router, which has a check of its own (the
 * aggregator's
 * documents, and those of custom resources). `mediaTypes`: what it may be sent as; default what is offered everywhere.
 * @throws StatusError 406
 */
export async function serveDocument(
  request: IncomingMessage,
  response: ServerResponse,
  document: DiscoveryDocument,
  {
    mediaTypes = builtInMediaTypes,
    unrouted = false,
  }: { readonly mediaTypes?: readonly MediaType[]; readonly unrouted?: boolean } = {},
): Promise<void> {
  if (!unrouted)
    checkRouteAccept(
      request.headers.accept,
      mediaTypes.map((type) => type.name),
    );
  const output = negotiate(request.headers.accept, plainOffer(mediaTypes));
  if (output === undefined) throw notAcceptable(mediaTypes);
  await send(request, response, { document, output, contentType: output.mediaType.name });
}

/** Sends an aggregated document, or 304 to a client that has it. */
export async function serveAggregated(
  request: IncomingMessage,
  response: ServerResponse,
  answer: { readonly document: DiscoveryDocument; readonly output: OutputMediaType },
): Promise<void> {
  const { document, output } = answer;
  response.setHeader('ETag', document.etag ?? '');
  response.setHeader('Vary', 'Accept');
  response.setHeader('Cache-Control', 'public');
  if (request.headers['if-none-match'] === document.etag) {
    response.statusCode = 304;
    response.end();
    return;
  }
  const { group = '', kind = '', version = '' } = output.convert ?? {};
  await send(request, response, {
    document,
    output,
    contentType: `${output.mediaType.name};g=${group};v=${version};as=${kind}`,
  });
}

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  answer: { readonly document: DiscoveryDocument; readonly output: OutputMediaType; readonly contentType: string },
): Promise<void> {
  const { contentType, document, output } = answer;
  const query = parseQuery(request.url?.split('?', 2)[1] ?? '');
  const { format } = output.mediaType;
  const turns = new Turns();
  const body =
    format === 'json'
      ? await encodeFormat(document.json, output, {
          pretty: output.pretty || wantsPretty(query, request.headers['user-agent']),
          turns,
        })
      : await encodeObject(JSON.parse(document.json.toString()) as KubeObject, { format, turns });
  if (body.newline) writeJSON(request, response, body.bytes, { code: 200, contentType });
  else writeBody(request, response, body.bytes, { code: 200, contentType });
}
