import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { LaunchError } from '../../launch-error.ts';
import { readKeyPair } from '../../pki/key-pair-files.ts';
import { FunctionTimeoutError, type FunctionErrors } from './function-errors.ts';

/** The service by which the aggregator knows this server; its certificate has that name too. */
export const functionService = { namespace: 'default', name: 'kubechain-functions' } as const;

/** A request that a server makes of a function. */
export interface FunctionCall {
  readonly method: string;
  /** Path without query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Whether the aggregator makes it, so that its identity headers count. */
  readonly proxied: boolean;
  /** Aborts when the server has given up waiting. */
  readonly signal: AbortSignal;
}

/** What is answered: JSON. */
export interface FunctionAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** A function behind a path. */
export interface ServedFunction {
  /** For errors. */
  readonly name: string;
  /** Made where the function was registered: the stack of its time-outs. */
  readonly registeredAt: Error;
  /** A call in words, for errors. */
  describe(call: FunctionCall): string;
  /** Everything it throws is recorded. */
  answer(call: FunctionCall): Promise<FunctionAnswer>;
  /** What is answered when it throws. */
  failed(call: FunctionCall, error: Error): FunctionAnswer;
}

/** A call that has not ended. */
interface PendingCall {
  readonly served: ServedFunction;
  /** As performance.now(); Infinity where the caller has not said how long it waits. */
  readonly overAtMs: number;
  readonly ended: Promise<unknown>;
}

/** A caller's time begins before its call is here. */
const onTheWayMs = 500;

/** Serves functions over HTTPS on a port of 127.0.0.1, with a certificate of the environment's authority. */
export class FunctionServer {
  readonly #functions = new Map<string, ServedFunction>();
  readonly #errors: FunctionErrors;
  readonly #pending = new Set<PendingCall>();
  readonly #server: Server;
  readonly #port: number;

  private constructor(server: Server, errors: FunctionErrors) {
    this.#server = server;
    this.#errors = errors;
    this.#port = (server.address() as AddressInfo).port;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      void this.#serve(request, response);
    });
  }

  /** @param pki the environment's folder of certificates */
  static async open(pki: string, errors: FunctionErrors): Promise<FunctionServer> {
    const authority = (name: string): ReturnType<typeof readKeyPair> =>
      readKeyPair({ certFile: join(pki, `${name}.crt`), keyFile: join(pki, `${name}.key`) });
    const issuer = authority('ca');
    if (issuer === undefined) throw new LaunchError('Certificates', `no certificate authority in '${pki}'`);
    const { issueCertificate } = await import('../../pki/issue-certificate.ts');
    const { cert, key } = await issueCertificate(
      {
        commonName: functionService.name,
        usage: 'server',
        names: ['127.0.0.1', 'localhost', `${functionService.name}.${functionService.namespace}.svc`],
        validityDays: 365,
      },
      { nowMs: Date.now(), issuer },
    );
    const proxies = authority('front-proxy-ca')?.cert;
    const server = createServer({
      cert,
      key,
      requestCert: true,
      rejectUnauthorized: false,
      ...(proxies === undefined ? {} : { ca: proxies }),
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    // It ends with the environment, and does not keep a process alive that has forgotten to end one.
    server.unref();
    return new FunctionServer(server, errors);
  }

  get port(): number {
    return this.#port;
  }

  urlOf(path: string): string {
    return `https://127.0.0.1:${this.#port}${path}`;
  }

  /** Serves a function at a path and below it. */
  add(path: string, served: ServedFunction): void {
    this.#functions.set(path, served);
  }

  remove(path: string): void {
    this.#functions.delete(path);
  }

  /** Waits for calls, of one function or of all, whose caller is giving up, or has, so that it is known. */
  async overdue(name?: string): Promise<void> {
    const nowMs = performance.now();
    const calls = [...this.#pending].filter(
      ({ overAtMs, served }) => overAtMs - nowMs < onTheWayMs && (name === undefined || served.name === name),
    );
    await Promise.all(calls.map(({ ended }) => ended));
  }

  /** Calls that are under way end unanswered, and unnoticed. */
  async close(): Promise<void> {
    this.#functions.clear();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'https://functions');
    const served = this.#find(url.pathname);
    if (served === undefined) {
      send(response, { status: 404, body: { error: `no function at ${url.pathname}` } });
      return;
    }
    const startedAt = performance.now();
    const over = new AbortController();
    // A request that breaks off needs no answer.
    const body = await textOf(request).catch(() => undefined);
    if (body === undefined) return;
    const call: FunctionCall = {
      method: request.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body,
      proxied: (request.socket as TLSSocket).authorized,
      signal: over.signal,
    };
    const ended = Promise.withResolvers<void>();
    const seconds = /^(\d+)s$/.exec(url.searchParams.get('timeout') ?? '')?.[1];
    const overAtMs = seconds === undefined ? Infinity : startedAt + Number(seconds) * 1_000;
    const pending: PendingCall = { served, overAtMs, ended: ended.promise };
    this.#pending.add(pending);
    response.once('close', () => {
      this.#pending.delete(pending);
      if (!response.writableEnded) {
        over.abort();
        this.#timedOut(served, call, performance.now() - startedAt);
      }
      ended.resolve();
    });
    send(response, await this.#answer(served, call));
  }

  #find(path: string): ServedFunction | undefined {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      const served = this.#functions.get(path.slice(0, end));
      if (served !== undefined) return served;
    }
    return undefined;
  }

  async #answer(served: ServedFunction, call: FunctionCall): Promise<FunctionAnswer> {
    try {
      return await served.answer(call);
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown : new TypeError(`thrown: ${String(thrown)}`);
      // That it was too slow has been told.
      if (!call.signal.aborted) this.#errors.add({ function: served.name, call: describe(served, call), error });
      return served.failed(call, error);
    }
  }

  #timedOut(served: ServedFunction, call: FunctionCall, afterMs: number): void {
    if (this.#functions.size === 0) return;
    const what = describe(served, call);
    const error = new FunctionTimeoutError(
      `${served.name} had not answered ${what} when the server gave up after ${Math.round(afterMs)} ms`,
    );
    error.stack =
      `${error.name}: ${error.message}` + `\n${(served.registeredAt.stack ?? '').split('\n').slice(1).join('\n')}`;
    this.#errors.add({ function: served.name, call: what, error });
  }
}

function describe(served: ServedFunction, call: FunctionCall): string {
  try {
    return served.describe(call);
  } catch {
    return `${call.method} ${call.path}`;
  }
}

function send(response: ServerResponse, { body, status }: FunctionAnswer): void {
  if (response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
  response.end(text);
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
