import { sleep, parseJSON } from '@kubechain/apimachinery';
import {
  genericServerResponse,
  StatusError,
  systemClock,
  type KubeObject,
  type Status,
  type TimerClock,
  messageOf,
} from '@kubechain/apimachinery';
import type { TokenBucket } from '@kubechain/apimachinery';
import type { RequestMetrics } from './request-metrics.ts';
import type { Requester, RequestOptions } from './requester.ts';
import { ResourceClient } from './resource-client.ts';
import type { ResourceType } from './resource-type.ts';
import { TransportError, type Transport, type TransportRequest, type TransportResponse } from './transport.ts';

/** Who asks, and how often it may. */
export interface ClientOptions {
  readonly transport: Transport;
  /** Part of the User-Agent, e.g. `kube-controller-manager/system:serviceaccount:kube-system:job-controller`. */
  readonly userAgent: string;
  /** Bearer token; asked for with every request, so that it may change. Absent = the transport's own identity. */
  readonly token?: () => string | Promise<string>;
  /** Whom the transport's identity acts for. Absent = itself. */
  readonly impersonate?: string;
  /** Limits requests as client-go does, watches included. Absent = no limit. */
  readonly limiter?: TokenBucket;
  readonly clock?: TimerClock;
  /** Where requests are counted. Absent = nowhere. */
  readonly metrics?: RequestMetrics | undefined;
}

/** Attempts after answers that ask the client to come back (429, or 5xx with Retry-After), as client-go. */
const MAX_RETRIES = 10;
/** As client-go. */
const longestServerMessage = 2048;

/**
 * Asks the API server over a transport. Answers other than 2xx are StatusErrors of apimachinery (`isNotFound` and so
 * on); no answer at all is a TransportError.
 */
export class Client implements Requester {
  readonly #options: ClientOptions;
  readonly #clock: TimerClock;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** Asks in somebody else's name, by the same way. */
  impersonating(user: string): Client {
    return new Client({ ...this.#options, impersonate: user });
  }

  /** The verbs of one resource. */
  resource<T extends object = KubeObject>(type: ResourceType<T>): ResourceClient<T> {
    return new ResourceClient(this, type);
  }

  /** @throws StatusError, TransportError */
  async json<T = unknown>(options: RequestOptions): Promise<T> {
    return parseJSON(await this.text(options)) as T;
  }

  /** As json, for answers that are no JSON (health, metrics). */
  async text(options: RequestOptions): Promise<string> {
    return this.read(options, readAll);
  }

  /** What a reader makes of the body, piece by piece. @throws StatusError, TransportError, what the reader throws */
  async read<R>(options: RequestOptions, reader: (body: AsyncIterable<Uint8Array>) => Promise<R>): Promise<R> {
    const { method } = options;
    const { metrics } = this.#options;
    const startedMs = this.#clock.now();
    try {
      let bytes = 0;
      const { body } = await this.stream(options);
      const result = await reader(unbroken(body, (length) => (bytes += length)));
      metrics?.read(method, bytes);
      return result;
    } finally {
      metrics?.ended(method, this.#clock.now() - startedMs);
    }
  }

  /** A successful answer whose body is still to be read. @throws StatusError, TransportError */
  async stream(options: RequestOptions): Promise<TransportResponse> {
    const { method, path, query, body, contentType, accept, headers, signal } = options;
    const { impersonate, metrics, token, userAgent } = this.#options;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const bytes = text === undefined ? 0 : Buffer.byteLength(text);
    const search = query === undefined || query.size === 0 ? '' : `?${query.toString()}`;
    for (let attempt = 0; ; attempt++) {
      await this.#throttle(method, signal);
      const response = await this.#send(attempt, {
        method,
        path: path + search,
        headers: {
          ...headers,
          accept: accept ?? 'application/json',
          'user-agent': userAgent,
          ...(text === undefined
            ? {}
            : { 'content-type': contentType ?? 'application/json', 'content-length': String(bytes) }),
          ...(token === undefined ? {} : { authorization: `Bearer ${await token()}` }),
          ...(impersonate === undefined ? {} : { 'impersonate-user': impersonate }),
        },
        body: text,
        signal,
      });
      metrics?.sent(method, bytes);
      if (response.status >= 200 && response.status < 300) return response;
      const error = statusErrorOf(await readAll(unbroken(response.body)), response.status, options);
      const retryAfter = Number(response.headers['retry-after']);
      const retryable = response.status === 429 || response.status >= 500;
      if (!retryable || !Number.isFinite(retryAfter) || attempt >= MAX_RETRIES) throw error;
      await sleep(this.#clock, retryAfter * 1000, signal);
      if (signal?.aborted === true) throw error;
    }
  }

  async #send(attempt: number, request: TransportRequest): Promise<TransportResponse> {
    const { metrics, transport } = this.#options;
    let status: number | undefined;
    try {
      const response = await transport.send(request);
      ({ status } = response);
      return response;
    } finally {
      metrics?.attempted(request.method, status, attempt > 0);
    }
  }

  async #throttle(method: string, signal: AbortSignal | undefined): Promise<void> {
    const { limiter, metrics } = this.#options;
    if (limiter === undefined) return;
    const delayMs = limiter.reserve();
    if (delayMs > 0) await sleep(this.#clock, delayMs, signal);
    metrics?.waited(method, delayMs);
  }
}

/** The body's pieces, or a TransportError where it breaks off. */
async function* unbroken(
  body: AsyncIterable<Uint8Array>,
  onPiece?: (length: number) => void,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of body) {
      onPiece?.(piece.length);
      yield piece;
    }
  } catch (cause) {
    throw new TransportError(`the answer broke off: ${messageOf(cause)}`, { cause });
  }
}

async function readAll(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** The error that a body says, or one for a body that is no Status (a proxy's page). */
function statusErrorOf(text: string, status: number, { about, method }: RequestOptions): StatusError {
  try {
    const body = parseJSON(text) as Status;
    if (body.kind === 'Status') return new StatusError(body as ConstructorParameters<typeof StatusError>[0]);
  } catch {
    // Not JSON: below.
  }
  return genericServerResponse(status, method, {
    serverMessage: text.slice(0, longestServerMessage),
    unexpectedResponse: true,
    ...(about === undefined ? {} : { resource: about, name: about.name ?? '' }),
  });
}
