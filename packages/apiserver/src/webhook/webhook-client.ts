import { withOneContext } from '../egress/one-context.ts';
import { agentThrough } from '../egress/tls-over.ts';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent } from 'node:https';
import { isIP } from 'node:net';
import { goQuote, limits } from '@kubechain/apimachinery';
import { authoritiesOf } from '../certificates/certificates-of.ts';
import { trustBundle } from '../certificates/trust-bundle.ts';
import { activeSpan } from '@kubechain/shared-storage/tracing';
import { outgoingTrace, type CallerTrace } from '../request/caller-trace.ts';
import { boundInformation, MOST_INFORMATION_OF_PEERS } from '../request/bound-information.ts';
import { GatheredBody, readAtMost } from '../request/gathered-body.ts';
import { TurnQueue } from '../request/turn-queue.ts';
import { Turns } from '../request/turns.ts';
import { goErrorText } from '../services/go-error-text.ts';
import { meetFault, type FaultyAnswer } from '../peers/meet-fault.ts';
import { restClientError, type RestAnswer } from '../rest-client/rest-client-error.ts';
import type { WebhookIdentities, WebhookIdentity } from './webhook-identities.ts';
import type { WebhookServices } from './webhook-services.ts';
import { nodeHTTPS, nodeTLS } from '../certificates/node-tls.ts';

/** Where a webhook is (WebhookClientConfig of admissionregistration and apiextensions). */
export interface WebhookTarget {
  readonly url?: string;
  readonly service?: {
    readonly namespace: string;
    readonly name: string;
    readonly path?: string;
    readonly port?: number;
  };
  /** PEM, base64; absent or blank: the system's authorities. */
  readonly caBundle?: string;
}

export interface WebhookClientOptions {
  readonly services: Pick<WebhookServices, 'resolve'> & Partial<Pick<WebhookServices, 'dial' | 'faults' | 'tell'>>;
  /** The webhook's own, for faults. */
  readonly name?: string;
  /** Whom webhooks are called as; default nobody. */
  readonly identities?: Pick<WebhookIdentities, 'of'>;
}

/** How one call is made. */
export interface WebhookCallOptions {
  readonly timeoutMs: number;
  /** What is left of the time of the request that the call is made for: a webhook is told no more. Default: enough. */
  readonly remainingMs?: number | undefined;
  /** Of the answer; default the limit for all of them. */
  readonly maxBytes?: number;
  /** The request that the call is made for. */
  readonly signal?: AbortSignal;
  /** What that request says of its trace. */
  readonly trace?: CallerTrace | undefined;
}

const maxResponseBytes = limits.webhookAnswer.value;
/** As Go's HTTP client. */
const maxRedirects = 10;
/** As client-go's. */
const maxRetries = 10;
/**
 * Connections that are kept, as client-go keeps them. Of those in use there is no limit but that of requests: calls
 * that wait for a connection behind slow ones would have failed by the time they got it.
 */
const MOST_IDLE = 25;

interface Answer extends RestAnswer {
  readonly retryAfter: string | undefined;
  readonly location: string | undefined;
}

function answerOf({ body, contentType, status }: FaultyAnswer): Answer {
  return { status, contentType, location: undefined, retryAfter: undefined, body: Buffer.from(body) };
}

/** One request of a call; a redirect may make it a GET without body. */
interface Exchange {
  readonly url: URL;
  readonly address: string;
  readonly method: 'POST' | 'GET';
  readonly body: string;
  readonly signal: AbortSignal;
  readonly trace: CallerTrace | undefined;
  readonly maxBytes: number;
}

/**
 * Calls one webhook over HTTPS on kept connections. Service references are resolved for each call, and their
 * certificate must be one for `<name>.<namespace>.svc`.
 */
export class WebhookClient {
  readonly #target: WebhookTarget;
  readonly #options: WebhookClientOptions;
  /** Of its answers. */
  readonly #turns = new Turns({ queue: new TurnQueue({ sums: true }) });
  #agent: Agent | undefined;

  constructor(target: WebhookTarget, options: WebhookClientOptions) {
    this.#target = target;
    this.#options = options;
  }

  /**
   * Posts JSON and resolves to the body of a 2xx answer. Follows redirects, and asks again where the webhook says when,
   * as Go's REST client.
   * @throws StatusError where the webhook answered something else; Error with Go's `Post "URL": reason` where it did
   * not answer
   */
  async post(
    body: string,
    { maxBytes = maxResponseBytes, remainingMs = Infinity, timeoutMs, signal, trace }: WebhookCallOptions,
  ): Promise<Buffer> {
    this.#agent ??= this.#newAgent();
    const url = this.#url();
    url.searchParams.set('timeout', `${Math.max(1, Math.ceil(Math.min(timeoutMs, remainingMs) / 1000))}s`);
    const bounded =
      signal === undefined ? AbortSignal.timeout(timeoutMs) : AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const exchange = { body, signal: bounded, trace, maxBytes };
    let answer = await this.#ask(url, exchange);
    for (let retry = 0; retry < maxRetries; retry++) {
      const waitMs = waitBeforeRetryMs(answer);
      if (waitMs === undefined) break;
      // The next request tells that the time is over.
      await sleep(waitMs, undefined, { signal: bounded }).catch(() => undefined);
      answer = await this.#ask(url, exchange);
    }
    if (answer.status < 200 || answer.status > 206) throw restClientError(answer);
    if (answer.body.length === 0)
      throw new TypeError(
        `0-length response with status code: ${answer.status} and content type: ` +
          `${answer.contentType ?? 'application/json'}`,
      );
    return answer.body;
  }

  /** Closes kept connections. */
  close(): void {
    this.#agent?.destroy();
  }

  #url(): URL {
    if (this.#target.url !== undefined) return new URL(this.#target.url);
    const { name, namespace, port } = serviceOf(this.#target);
    return new URL(this.#target.service?.path ?? '/', `https://${name}.${namespace}.svc:${port}`);
  }

  async #ask(url: URL, exchange: Pick<Exchange, 'body' | 'signal' | 'trace' | 'maxBytes'>): Promise<Answer> {
    let next: Pick<Exchange, 'url' | 'method'> | undefined = { url, method: 'POST' };
    for (let redirects = 0; ; redirects++) {
      const answer: Answer = await this.#exchange({
        ...exchange,
        ...next,
        body: next.method === 'POST' ? exchange.body : '',
      });
      next = redirectOf(answer, next);
      if (next === undefined) return answer;
      if (redirects === maxRedirects)
        throw new TypeError(`Post ${goQuote(next.url.href)}: stopped after ${maxRedirects} redirects`);
    }
  }

  async #exchange({ url, ...exchange }: Omit<Exchange, 'address'>): Promise<Answer> {
    let address = `${url.hostname}:${url.port === '' ? '443' : url.port}`;
    try {
      if (this.#target.url === undefined && url.hostname === this.#url().hostname)
        address = await this.#options.services.resolve(serviceOf(this.#target), exchange.signal);
      const { name = '', services } = this.#options;
      const faulty = await meetFault(services.faults, { peer: 'webhook', name, verb: 'call' }, exchange.signal);
      if (faulty !== undefined) return answerOf(faulty);
      return await this.#send({ ...exchange, url, address });
    } catch (error) {
      if (error instanceof BrokenAnswer) throw error;
      const reason = error instanceof Error ? error : new TypeError(String(error));
      throw new TypeError(
        `${exchange.method === 'POST' ? 'Post' : 'Get'} ` +
          `${JSON.stringify(url.href.replace(/^https:\/\/[^/?]*/, `https://${hostOf(url, this.#target)}`))}: ` +
          `${goErrorText(reason, address)}`,
        { cause: error },
      );
    }
  }

  #send({ address, body, maxBytes, method, signal, trace, url }: Exchange): Promise<Answer> {
    const colon = address.lastIndexOf(':');
    const span = activeSpan()?.child(`HTTP ${method}`, {
      kind: 'client',
      attributes: { 'http.request.method': method, 'server.address': address, 'url.full': url.href },
    });
    return new Promise((resolve, reject) => {
      const call = nodeHTTPS().request(
        {
          host: address.slice(0, colon).replace(/^\[(.*)\]$/, '$1'),
          port: Number(address.slice(colon + 1)),
          servername: isIP(url.hostname) === 0 ? url.hostname : '',
          method,
          path: `${url.pathname}${url.search}`,
          agent: this.#agent,
          signal,
          headers: {
            ...(method === 'POST'
              ? { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
              : {}),
            Accept: 'application/json, */*',
            Host: url.host,
            ...this.#authorization(url),
            ...outgoingTrace(trace, span),
            'User-Agent': 'kubechain',
          },
        },
        (response) => {
          const { 'content-type': contentType, location, 'retry-after': retryAfter } = response.headers;
          span?.set({ 'http.response.status_code': response.statusCode ?? 0 });
          readAll(new GatheredBody(response, this.#turns), maxBytes).then((bytes) => {
            span?.end();
            resolve({ status: response.statusCode ?? 0, contentType, location, retryAfter, body: bytes });
          }, reject);
        },
      );
      boundInformation(call, MOST_INFORMATION_OF_PEERS);
      call.once('error', (error) => {
        span?.end(error);
        reject(error);
      });
      call.end(body);
    });
  }

  #identity(): WebhookIdentity {
    return this.#options.identities?.of(hostOf(this.#url(), this.#target)) ?? {};
  }

  /** Not told to whom the webhook redirects. */
  #authorization(url: URL): { readonly Authorization?: string } {
    const value = url.hostname === this.#url().hostname ? this.#identity().authorization?.() : undefined;
    return value === undefined ? {} : { Authorization: value };
  }

  /** @throws Error in the reference's words where the bundle holds no authority */
  #newAgent(): Agent {
    const bundle = Buffer.from(this.#target.caBundle ?? '', 'base64');
    const { cert, key } = this.#identity();
    const ca = bundle.length === 0 ? systemAuthorities() : authoritiesOf(bundle).map(String);
    const agent = agentThrough(
      new (nodeHTTPS().Agent)({ keepAlive: true, maxFreeSockets: MOST_IDLE, timeout: 90_000 }),
      this.#options.services.dial?.(this.#target.url === undefined ? 'service' : 'url'),
    );
    return withOneContext(agent, {
      ...trustBundle(ca),
      ...(cert === undefined ? {} : { cert }),
      ...(key === undefined ? {} : { key }),
    });
  }
}

function serviceOf({ service }: WebhookTarget): {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
} {
  return { namespace: service?.namespace ?? '', name: service?.name ?? '', port: service?.port ?? 443 };
}

/** Go shows the port of a service even where it is 443, which a URL object leaves out. */
function hostOf(url: URL, target: WebhookTarget): string {
  return target.url === undefined ? `${url.hostname}:${serviceOf(target).port}` : url.host;
}

/** Where Go's HTTP client goes on: 307 and 308 repeat the request, the others make it a GET. */
function redirectOf(
  { location, status }: Answer,
  from: Pick<Exchange, 'url' | 'method'>,
): Pick<Exchange, 'url' | 'method'> | undefined {
  if (location === undefined || !URL.canParse(location, from.url.href)) return undefined;
  const url = new URL(location, from.url);
  if (status === 307 || status === 308) return { url, method: from.method };
  return status === 301 || status === 302 || status === 303 ? { url, method: 'GET' } : undefined;
}

/** Go reads no larger number, and so does not ask again. */
const MOST_SECONDS = 2 ** 63;
/** A timer of more would fire at once; the time of a call is over long before. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Milliseconds until the webhook wants to be asked again; undefined where it does not. Source: client-go
 * rest/with_retry.go checkWait.
 */
function waitBeforeRetryMs({ retryAfter, status }: Answer): number | undefined {
  if ((status !== 429 && status < 500) || retryAfter === undefined || !/^\d+$/.test(retryAfter)) return undefined;
  const seconds = Number(retryAfter);
  return seconds > MOST_SECONDS ? undefined : Math.min(seconds * 1000, LONGEST_TIMER_MS);
}

/** An answer began and cannot be read to its end. */
class BrokenAnswer extends Error {
  override readonly name = 'BrokenAnswer';

  constructor(cause: unknown) {
    super('unexpected error when reading response body. Please retry. Original error: unexpected EOF', { cause });
  }
}

async function readAll(response: GatheredBody, maxBytes: number): Promise<Buffer> {
  try {
    return await readAtMost(response, maxBytes, () => new TypeError('http: response body too large'));
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ECONNRESET' ? new BrokenAnswer(error) : error;
  }
}

let authorities: readonly string[] | undefined;

/** Go trusts what the system trusts; Node only what it was built with. Read once. */
function systemAuthorities(): string[] {
  authorities ??= [
    ...nodeTLS().rootCertificates,
    ...['/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/certs/ca-bundle.crt', '/etc/ssl/cert.pem'].flatMap(
      (path) => {
        try {
          return [readFileSync(path, 'utf8')];
        } catch {
          return [];
        }
      },
    ),
  ];
  return [...authorities];
}
