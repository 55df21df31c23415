import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { goQuote, parseURL } from '@kubechain/apimachinery';
import {
  cutResponse,
  ExchangeEnd,
  beginPhase,
  boundInformation,
  corsHeaders,
  endPhase,
  getRequestContext,
  outgoingTrace,
  goErrorText,
  hasBody,
  outgoingURL,
  rewriteLink,
  sendProxiedAnswer,
  TurnQueue,
  unpacksAnswers,
  writeTextError,
} from '@kubechain/apiserver/proxies';
import type { RequestContext } from '@kubechain/apiserver/proxies';
import { Turns } from '@kubechain/apiserver/resources';
import { illegalHeader, isMalformedAnswer, malformedAnswerText } from './malformed-answer.ts';
import { outgoingHeaders } from './outgoing-headers.ts';
import type { RemoteService } from './remote-service.ts';
import type { RemoteTerminations } from './remote-terminations.ts';

/** Ms that a server gets for a discovery document: clients wait for many of them, so a slow one is given up. */
const discoveryTimeoutMs = 5_000;
const redirectRefused = 'the backend attempted to redirect this request, which is not permitted';

/** How the server knows where a request's body ends; `none`: there is no body. */
type BodyFraming = 'none' | 'length' | 'chunks';

/** Methods whose empty bodies Go tells the length of. */
const bodyMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

type Middleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => Promise<void>;

/** Destination of a request; the middleware's hooks look it up, since they get nothing but the request. */
interface Journey {
  readonly response: ServerResponse;
  readonly address: string;
  readonly path: string;
  readonly agent: RemoteService['agent'];
  outgoing: ClientRequest | undefined;
  answer: IncomingMessage | undefined;
  ended: Error | undefined;
  readonly unpack: boolean;
  readonly body: BodyFraming;
  /** For Server-Timing. */
  readonly startedAt: number;
  readonly end: ExchangeEnd;
}

/** What is done with redirects of servers behind this one, and what is said where they cannot be reached. */
export interface RemoteProxyOptions {
  /** Answer 502 instead of handing them on (--aggregator-reject-forwarding-redirect). Default true. */
  readonly rejectRedirects?: boolean;
  /** Stands before the reason. Default `error trying to reach service: `. */
  readonly failurePrefix?: string;
}

/**
 * Carries requests to extension API servers and their answers back, as kube-aggregator's proxy does: identity in
 * headers, no redirects unless they are wanted, the reference's texts for everything that fails.
 * http-proxy-middleware does the transport; it is loaded with the first request, since most clusters have no extension
 * API server.
 */
export class RemoteProxy {
  readonly #journeys = new WeakMap<IncomingMessage, Journey>();
  readonly #terminations: RemoteTerminations | undefined;
  readonly #rejectRedirects: boolean;
  readonly #failurePrefix: string;
  readonly #turns = new TurnQueue({ sums: true });
  /** Requests begin one in a turn of the loop: each may need a connection of its own. */
  readonly #starts = new TurnQueue({ sums: true });
  #middleware: Promise<Middleware> | undefined;

  /** @param terminations where the ends of requests are told; default: nowhere */
  constructor(
    terminations?: RemoteTerminations,
    { failurePrefix = 'error trying to reach service: ', rejectRedirects = true }: RemoteProxyOptions = {},
  ) {
    this.#terminations = terminations;
    this.#rejectRedirects = rejectRedirects;
    this.#failurePrefix = failurePrefix;
  }

  /** Answers the request whatever happens. `address` is where `remote` is now. */
  handle(
    request: IncomingMessage,
    response: ServerResponse,
    target: { readonly remote: RemoteService; readonly address: string },
  ): void {
    const context = getRequestContext(request);
    const { remote, address } = target;
    const journey: Journey = {
      response,
      address,
      path: outgoingURL(request.url ?? '/'),
      agent: remote.agent,
      outgoing: undefined,
      answer: undefined,
      ended: undefined,
      unpack: unpacksAnswers(request),
      body: framingOf(request),
      startedAt: beginPhase(context),
      end: new ExchangeEnd(context, this.#terminations?.requests(remote)),
    };
    response.once('close', () => {
      journey.end.over({ kind: response.writableFinished ? 'completed' : 'client_left' });
    });
    const headers = outgoingHeaders({ request, address, user: context.user, auditID: context.auditID, upgrade: false });
    const method = request.method ?? 'GET';
    const step = context.span?.child(`HTTP ${method}`, {
      kind: 'client',
      attributes: { 'http.request.method': method, 'server.address': address },
    });
    if (step !== undefined) {
      const { Tracestate } = outgoingTrace(context.trace, step);
      headers['traceparent'] = step.traceparent;
      if (Tracestate === undefined) delete headers['tracestate'];
    }
    // The middleware sends what it finds on the request, so what a client must not say is taken off before it sees it.
    // HTTP/2 requests keep method and path among their headers; those names do not go on.
    for (const name of Object.keys(request.headers)) if (!name.startsWith(':')) delete request.headers[name];
    Object.assign(request.headers, headers);
    this.#journeys.set(request, journey);
    boundJourney(context, journey);
    this.#go(request, response, remote).catch((error: unknown) => {
      this.#fail(request, response, error);
    });
  }

  async #go(request: IncomingMessage, response: ServerResponse, remote: RemoteService): Promise<void> {
    const faulty = await remote.meetFault(getRequestContext(request).signal);
    if (faulty !== undefined) {
      response.setHeader('Content-Type', faulty.contentType);
      response.setHeader('Content-Length', Buffer.byteLength(faulty.body));
      response.writeHead(faulty.status);
      response.end(faulty.body);
      return;
    }
    await new Turns({ queue: this.#starts, owner: getRequestContext(request) }).take();
    this.#middleware ??= this.#load();
    const proxy = await this.#middleware;
    await proxy(request, response, (error) => {
      this.#fail(request, response, error);
    });
  }

  async #load(): Promise<Middleware> {
    const { createProxyMiddleware } = await import('http-proxy-middleware');
    const middleware = createProxyMiddleware<IncomingMessage, ServerResponse>({
      target: 'https://0.0.0.0',
      pathFilter: () => true,
      ejectPlugins: true,
      selfHandleResponse: true,
      // One middleware for all servers: each one that is made listens to the HTTP server for good.
      router: (request, _response, options) => {
        const journey = this.#journeys.get(request);
        options.agent = journey?.agent;
        return `https://${journey?.address ?? ''}`;
      },
      plugins: [
        (proxy) => {
          proxy.on('proxyReq', (outgoing, request) => {
            if (request !== undefined) this.#send(outgoing, request);
          });
          proxy.on('proxyRes', (answer, request, response) => {
            this.#answer(answer, request, response);
          });
          proxy.on('error', (error, request, response) => {
            if (request !== undefined) this.#fail(request, response as ServerResponse, error);
          });
        },
      ],
    });
    return middleware as unknown as Middleware;
  }

  #send(outgoing: ClientRequest, request: IncomingMessage): void {
    const journey = this.#journeys.get(request);
    if (journey === undefined) return;
    journey.outgoing = outgoing;
    outgoing.path = journey.path;
    boundInformation(outgoing);
    frameBody(outgoing, journey.body);
    outgoing.once('upgrade', (answer: IncomingMessage, socket: Duplex) => {
      socket.destroy();
      this.#refuse(
        request,
        `backend tried to switch protocol ${goQuote(answer.headers.upgrade ?? '')} when "" was requested`,
      );
    });
    if (journey.ended !== undefined) outgoing.destroy(journey.ended);
  }

  #answer(answer: IncomingMessage, request: IncomingMessage, response: ServerResponse): void {
    if (response.headersSent || response.destroyed) {
      answer.destroy();
      return;
    }
    const journey = this.#journeys.get(request);
    if (journey !== undefined) journey.answer = answer;
    const illegal = illegalHeader(answer.rawHeaders);
    if (illegal !== undefined) {
      answer.destroy();
      this.#refuse(request, `${this.#failurePrefix}${illegal}`);
      return;
    }
    const { location = '' } = answer.headers;
    const status = answer.statusCode ?? 502;
    const problem = location === '' ? undefined : parseURL(location);
    if (typeof problem === 'string') {
      answer.destroy();
      this.#refuse(request, `Internal error occurred: error trying to parse Location header: ${problem}`);
      return;
    }
    if (this.#rejectRedirects && status >= 300 && status <= 399 && location !== '') {
      answer.resume();
      journey?.end.because({ kind: 'refused' });
      response.setHeader('Content-Type', 'text/plain; charset=utf-8');
      response.setHeader('Content-Length', Buffer.byteLength(redirectRefused));
      response.writeHead(502);
      response.end(redirectRefused);
      return;
    }
    endPhase(getRequestContext(request), 'proxy', journey?.startedAt ?? 0);
    const { address = '', unpack = false } = journey ?? {};
    sendProxiedAnswer(answer, response, {
      unpack,
      withheld: corsHeaders,
      turns: new Turns({ queue: this.#turns, owner: getRequestContext(request) }),
      rewriteLink: (link) =>
        rewriteLink(link, { scheme: 'https', host: address, prefix: '', backendHost: address, requestHost: address }),
    });
  }

  #fail(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    const journey = this.#journeys.get(request);
    const cause = journey?.ended ?? (error instanceof Error ? error : new TypeError(String(error)));
    // Whatever follows a complete answer is ignored.
    if (response.writableEnded || journey?.answer?.complete === true) return;
    journey?.end.because({ kind: response.headersSent ? 'broken' : 'unreachable', error: cause });
    if (response.headersSent) cutResponse(response);
    else
      writeTextError(
        response,
        503,
        this.#failurePrefix +
          `${isMalformedAnswer(cause) ? malformedAnswerText(cause) : goErrorText(cause, journey?.address ?? '')}`,
      );
  }

  /** Refuses answers that cannot be handed on. */
  #refuse(request: IncomingMessage, text: string): void {
    const { end, response } = this.#journeys.get(request) ?? {};
    end?.because({ kind: 'broken', error: new TypeError(text) });
    if (response !== undefined) writeTextError(response, 503, text);
  }
}

function framingOf(request: IncomingMessage): BodyFraming {
  if (!hasBody(request)) return bodyMethods.has(request.method ?? '') ? 'length' : 'none';
  return request.headers['content-length'] === undefined ? 'chunks' : 'length';
}

/**
 * The middleware and Node go by the method: bodies of GET and DELETE would be sent without an end, or with a length of
 * 0.
 */
function frameBody(outgoing: ClientRequest, framing: BodyFraming): void {
  if (framing === 'length') return;
  outgoing.removeHeader('content-length');
  outgoing.useChunkedEncodingByDefault = framing === 'chunks';
}

/** Aborts the request to the server when the client leaves or the deadline passes. */
function boundJourney(context: RequestContext, journey: Journey): void {
  const end = (reason: unknown): void => {
    journey.ended = reason instanceof Error ? reason : new TypeError(String(reason));
    journey.outgoing?.destroy(journey.ended);
  };
  context.signal.addEventListener(
    'abort',
    () => {
      end(context.signal.reason);
    },
    { once: true },
  );
  const { isResourceRequest, path } = context.requestInfo;
  if (!isResourceRequest && path.split('/').filter((part) => part !== '').length === 3) {
    const timeout = AbortSignal.timeout(discoveryTimeoutMs);
    timeout.addEventListener(
      'abort',
      () => {
        end(timeout.reason);
      },
      { once: true },
    );
  }
}
