import { dataText, notFound, parseJSONValue, parseQuery } from '@kubechain/apimachinery';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { parseAccept } from '../negotiation/accept.ts';
import type { Handler } from '../request/filter.ts';
import { parseRequestInfo } from '../request/request-info.ts';
import { serverContext } from '../request/server-context.ts';
import type { ServerRequestContext } from '../request/server-request-context.ts';
import { writeError } from '../responses/write-status.ts';

/**
 * Whether a request may be answered with what was, as the reference answers it: only `resourceVersion=0` takes what a
 * replica has, however far that lags behind. Of gets those whose answer is plain JSON.
 */
export function mayBeStale({ query, request, requestInfo }: ServerRequestContext): boolean {
  const { isResourceRequest, subresource, verb } = requestInfo;
  if (!isResourceRequest || subresource !== '' || (verb !== 'get' && verb !== 'list')) return false;
  if (query.get('resourceVersion') !== '0' || query.has('continue')) return false;
  return verb === 'list' || asksForPlainJSON(request.headers.accept ?? '');
}

/** Whether the media type that is asked for most is JSON, and of the object as it is. */
function asksForPlainJSON(accept: string): boolean {
  const [first] = parseAccept(accept);
  if (first === undefined || (first.type === '*' && first.subtype === '*')) return true;
  return first.type === 'application' && first.subtype === 'json' && !first.parameters.has('as');
}

/** Answers a read by the state at a revision: a list by that list, a get by the only item of one. */
export function readAt(revision: number, request: IncomingMessage, { next, response }: Continuation): void {
  const context = serverContext(request);
  const asked = { url: request.url ?? '/', info: context.requestInfo };
  // The journal tells what was asked for; it hears of the request when its answer has closed.
  response.prependOnceListener('close', () => {
    context.become(asked.url, asked.info);
  });
  const parameters = context.search.split('&').filter((one) => !/^resourceVersion(?:Match)?=/.test(one));
  parameters.push(`resourceVersion=${revision}`, 'resourceVersionMatch=Exact');
  let [path = '/'] = asked.url.split('?', 1);
  const { apiGroup, name, resource, verb } = asked.info;
  if (verb === 'get') {
    path = path.slice(0, path.lastIndexOf('/'));
    parameters.push(`fieldSelector=${encodeURIComponent(`metadata.name=${name}`)}`);
    withWholeAnswer(response, (status, body) => {
      if (status !== 200) return body;
      const found = onlyItemOf(body);
      if (found !== undefined) return found;
      writeError(request, response, notFound({ group: apiGroup, resource }, name));
      return undefined;
    });
  }
  const search = parameters.join('&');
  context.become(
    `${path}?${search}`,
    parseRequestInfo('GET', path, () => parseQuery(search)),
  );
  next(request, response);
}

/** The first item of a list as an object by itself, digits and escapes as they were; undefined of an empty one. */
export function onlyItemOf(list: Buffer): Buffer | undefined {
  const { apiVersion, items = [], kind = '' } = parseJSONValue(list).value as ListBody;
  const [found] = items;
  if (found === undefined) return undefined;
  return Buffer.from(`${dataText({ kind: kind.replace(/List$/, ''), apiVersion, ...found })}\n`);
}

interface Continuation {
  readonly next: Handler;
  readonly response: ServerResponse;
}

interface ListBody {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly items?: readonly object[];
}

/** Holds an answer back until it is whole, and sends what `change` makes of it; undefined: it has answered itself. */
function withWholeAnswer(response: ServerResponse, change: (status: number, body: Buffer) => Buffer | undefined): void {
  const own = {
    end: response.end.bind(response),
    flushHeaders: response.flushHeaders.bind(response),
    write: response.write.bind(response),
    writeHead: response.writeHead.bind(response),
  };
  const chunks: Buffer[] = [];
  const take = (chunk: unknown): void => {
    if (typeof chunk === 'string') chunks.push(Buffer.from(chunk));
    else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  let status = 200;
  response.flushHeaders = () => undefined;
  response.writeHead = ((code: number, ...rest: readonly unknown[]) => {
    status = code;
    const headers = rest.find((part) => typeof part === 'object' && part !== null) ?? {};
    for (const [name, value] of Object.entries(headers as Record<string, string>)) response.setHeader(name, value);
    return response;
  }) as typeof response.writeHead;
  response.write = ((chunk: unknown) => {
    take(chunk);
    return true;
  }) as typeof response.write;
  response.end = ((chunk?: unknown) => {
    take(chunk);
    Object.assign(response, own);
    const body = Buffer.concat(chunks);
    const packed = response.getHeader('content-encoding') === 'gzip';
    for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) response.removeHeader(name);
    const changed = change(status, packed ? gunzipSync(body) : body);
    if (changed === undefined) return response;
    response.writeHead(status, { 'content-length': changed.length });
    return response.end(changed);
  }) as typeof response.end;
}
