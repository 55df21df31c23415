import { badRequest, serviceUnavailable } from '@kubechain/apimachinery';
import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { RequestOptions } from 'node:https';
import { posix } from 'node:path';
import type { RequestContext } from '../request/request-context.ts';
import type { ConnectExchange } from '../registry/rest/storage.ts';
import { goErrorText } from '../services/go-error-text.ts';
import { cutResponse } from '../responses/cut-response.ts';
import { Turns } from '../request/turns.ts';
import { dialAddress, endSlowDial, requestOptions, targetOf, type Backend } from './backend.ts';
import { checkUpgradeStatus, openBackendUpgrade, spliceBackend } from './backend-upgrade.ts';
import { boundInformation } from '../request/bound-information.ts';
import { clientHeaders, hasBody, unpacksAnswers } from './client-headers.ts';
import { ExchangeEnd } from './exchange-end.ts';
import { rewriteLink, type LinkRewriting } from './link-rewriter.ts';
import { escapeDecodedPath } from './outgoing-url.ts';
import { corsHeaders, sendProxiedAnswer } from './proxied-answer.ts';
import { nodeHTTPS } from '../certificates/node-tls.ts';

// Not imported: an import reads all exports of node:http, and one of them loads undici (90 ms of a start).
const { request: httpRequest } = process.getBuiltinModule('node:http');

/**
 * Proxies a request to a pod, node or service: upgrades become connections from end to end, other requests are carried
 * with their bodies, answers come back with their links led through the proxy
 * (apimachinery pkg/util/proxy UpgradeAwareHandler with its wrapped transport, 1.36).
 *
 * Resolves once the answer is under way. @throws StatusError ServiceUnavailable `error trying to reach service: …`;
 * ProxyError when an upgrade fails
 */
export async function proxyToBackend(
  context: RequestContext,
  exchange: ConnectExchange,
  backend: Backend,
): Promise<void> {
  if (exchange.kind === 'upgrade') await proxyUpgrade(context, exchange, backend);
  else await proxyRequest(context, exchange, backend);
}

/** The same for what only makes sense as an upgrade. @throws StatusError BadRequest for other requests */
export async function proxyUpgradeOnly(
  context: RequestContext,
  exchange: ConnectExchange,
  backend: Backend,
): Promise<void> {
  if (exchange.kind !== 'upgrade') throw badRequest('Upgrade request required');
  await proxyUpgrade(context, exchange, backend);
}

async function proxyUpgrade(
  context: RequestContext,
  { request, socket, head }: Extract<ConnectExchange, { kind: 'upgrade' }>,
  backend: Backend,
): Promise<void> {
  await turnToConnect(context, backend);
  const upgrade = await openBackendUpgrade({
    backend,
    method: request.method ?? 'GET',
    target: targetOf(backend),
    head,
    signal: context.signal,
    end: new ExchangeEnd(context, backend.upgradeCounts),
    headers: {
      host: hostOf(request),
      ...clientHeaders(request),
      connection: 'Upgrade',
      upgrade: request.headers.upgrade,
    },
  });
  checkUpgradeStatus(upgrade);
  spliceBackend(upgrade, socket);
}

/** Each exchange has a connection of its own: they begin one in a turn of the loop, users in turns. */
export async function turnToConnect(owner: RequestContext, { turns }: Backend): Promise<void> {
  if (turns !== undefined) await new Turns({ queue: turns, owner }).take();
}

async function proxyRequest(
  context: RequestContext,
  { request, response }: Extract<ConnectExchange, { kind: 'request' }>,
  target: Backend,
): Promise<void> {
  const { path } = context.requestInfo;
  const backend = path.endsWith('/') && !target.path.endsWith('/') ? { ...target, path: `${target.path}/` } : target;
  if (backend.path === '' && (request.method === 'GET' || request.method === 'HEAD')) {
    redirectToRoot(path, request, response);
    return;
  }
  const prefix = backend.path !== '' && path.endsWith(backend.path) ? path.slice(0, -backend.path.length) : path;
  await turnToConnect(context, backend);
  await new Promise<void>((resolve, reject) => {
    const outgoing = send(request, backend, prefix);
    const abort = (): void => {
      outgoing.destroy(context.signal.reason as Error);
    };
    context.signal.addEventListener('abort', abort, { once: true });
    outgoing.once('close', () => {
      context.signal.removeEventListener('abort', abort);
    });
    outgoing.on('error', (error) => {
      if (response.headersSent) cutResponse(response);
      reject(serviceUnavailable(`error trying to reach service: ${goErrorText(error, dialAddress(backend))}`));
    });
    outgoing.on('response', (answer) => {
      const rewriting: LinkRewriting = {
        scheme: '',
        host: '',
        prefix,
        backendHost: backend.host,
        requestHost: hostOf(request),
      };
      sendProxiedAnswer(answer, response, {
        unpack: unpacksAnswers(request),
        rewriteLink: (link) => rewriteLink(link, rewriting),
        withheld: corsHeaders,
        turns: new Turns({ queue: backend.turns, owner: context }),
      });
      response.once('close', () => {
        answer.destroy();
      });
      resolve();
    });
  });
}

function send(request: IncomingMessage, backend: Backend, prefix: string): ClientRequest {
  const options: RequestOptions = {
    ...requestOptions(backend),
    method: request.method,
    path: targetOf(backend),
    headers: outgoingHeaders(request, backend, prefix),
  };
  const outgoing = backend.scheme === 'https' ? nodeHTTPS().request(options) : httpRequest(options);
  outgoing.on('socket', endSlowDial);
  boundInformation(outgoing);
  if (hasBody(request)) request.pipe(outgoing);
  else outgoing.end();
  return outgoing;
}

function outgoingHeaders(request: IncomingMessage, backend: Backend, prefix: string): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { host: hostOf(request), ...clientHeaders(request) };
  const forwarded = posix.join(prefix, escapeDecodedPath(backend.path));
  headers['x-forwarded-uri'] = backend.path.endsWith('/') && !forwarded.endsWith('/') ? `${forwarded}/` : forwarded;
  if (unpacksAnswers(request)) headers['accept-encoding'] = 'gzip';
  if (headers['content-length'] === undefined && hasBody(request)) headers['transfer-encoding'] = 'chunked';
  return headers;
}

/** Relative links of a page at the proxy's own path would miss it by one level. */
function redirectToRoot(path: string, request: IncomingMessage, response: ServerResponse): void {
  const url = request.url ?? '';
  const question = url.indexOf('?');
  const query = question < 0 || question === url.length - 1 ? '' : url.slice(question);
  response.setHeader('Location', `${escapeDecodedPath(path)}/${query}`);
  response.setHeader('Content-Length', 0);
  response.writeHead(301);
  response.end();
}

/** The Host that the client asked for, which backends get as well. */
function hostOf({ headers }: IncomingMessage): string {
  const authority = headers[':authority'];
  return headers.host ?? (typeof authority === 'string' ? authority : '');
}
