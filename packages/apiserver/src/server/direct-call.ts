import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Handler } from '../request/filter.ts';

const { ServerResponse } = process.getBuiltinModule('node:http');

/** A request of somebody in the same process. */
export interface DirectCall {
  readonly method: string;
  readonly url: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
}

/** What it was answered. */
export interface DirectAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

/**
 * Has a server's handler answer a request without a connection. Whole answers only: watches and upgrades are for
 * clients that have one. Rejects when the handler breaks the answer off.
 */
export function callDirectly(handler: Handler, call: DirectCall): Promise<DirectAnswer> {
  return new Promise((resolve, reject) => {
    const request = new CalledRequest(call) as unknown as IncomingMessage;
    handler(request, new CalledResponse(request, resolve, reject));
  });
}

/** A request that was made by a call, with the members of `IncomingMessage` that handlers use. */
class CalledRequest extends Readable {
  readonly method: string;
  url: string;
  readonly headers: Record<string, string>;
  readonly httpVersion = '1.1';
  readonly httpVersionMajor = 1;
  readonly httpVersionMinor = 1;
  readonly trailers = {};
  readonly complete = true;
  readonly rawHeaders: readonly string[];
  readonly socket = new Socket();

  constructor({ body, headers, method, url }: DirectCall) {
    super();
    this.method = method;
    this.url = url;
    this.headers = { ...headers };
    this.rawHeaders = Object.entries(headers).flat();
    if (body !== undefined) this.push(body);
    this.push(null);
  }

  override _read(): void {
    /* all of it is there */
  }

  setTimeout(): this {
    return this;
  }
}

/** Keeps what is written to it. It takes everything: `write` never asks to wait. */
class CalledResponse extends ServerResponse {
  readonly #chunks: Buffer[] = [];
  readonly #answered: (answer: DirectAnswer) => void;
  readonly #failed: (error: Error) => void;
  #over = false;

  static {
    // Node's own goes by what was written to a socket. It is no accessor to TypeScript, and cannot be overridden.
    Object.defineProperty(this.prototype, 'writableFinished', {
      get(this: CalledResponse) {
        return this.#over && !this.destroyed;
      },
    });
  }

  constructor(request: IncomingMessage, answered: (answer: DirectAnswer) => void, failed: (error: Error) => void) {
    super(request);
    this.#answered = answered;
    this.#failed = failed;
  }

  override write(chunk: unknown, encodingOrSent?: unknown, sent?: unknown): boolean {
    if (!this.headersSent) this.writeHead(this.statusCode);
    this.#keep(chunk, encodingOrSent);
    told(encodingOrSent, sent);
    return true;
  }

  override end(chunk?: unknown, encodingOrSent?: unknown, sent?: unknown): this {
    if (this.#over) return this;
    this.#over = true;
    if (!this.headersSent) this.writeHead(this.statusCode);
    this.#keep(chunk, encodingOrSent);
    this.finished = true;
    told(chunk, encodingOrSent, sent);
    process.nextTick(() => {
      this.emit('finish');
      this.emit('close');
      this.#answered({ status: this.statusCode, headers: this.getHeaders(), body: Buffer.concat(this.#chunks) });
    });
    return this;
  }

  override destroy(error?: Error): this {
    if (this.#over) return this;
    this.#over = true;
    this.destroyed = true;
    process.nextTick(() => {
      this.emit('close');
      this.#failed(error ?? new TypeError('the answer was broken off'));
    });
    return this;
  }

  #keep(chunk: unknown, encoding: unknown): void {
    if (typeof chunk === 'string')
      this.#chunks.push(Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'));
    else if (chunk instanceof Uint8Array) this.#chunks.push(Buffer.from(chunk));
  }
}

/** Calls back who wants to know that something was sent. */
function told(...given: readonly unknown[]): void {
  const callback = given.find((one) => typeof one === 'function');
  if (callback !== undefined) process.nextTick(callback as () => void);
}
