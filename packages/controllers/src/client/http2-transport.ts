import { UnblockedSocket } from '@kubechain/shared-storage/unblocked-socket';
import { connect, constants, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { TransportError, type Transport, type TransportRequest, type TransportResponse } from './transport.ts';

/** Where the server is and how both sides know each other. */
export interface Http2TransportOptions {
  /** `https://host:port`; a path is not kept. */
  readonly server: string;
  /** PEM; absent = the machine's authorities. */
  readonly ca?: string;
  readonly clientCertificate?: { readonly cert: string; readonly key: string };
  readonly serverName?: string;
  readonly insecureSkipVerify?: boolean;
}

/** A connection that says nothing for this long is asked whether it lives, as client-go's HTTP/2 does. */
const PING_AFTER_MS = 30_000;
const PING_TIMEOUT_MS = 15_000;
/** Streams that a connection is trusted with until the server has told its own limit. */
const DEFAULT_STREAMS = 100;

/**
 * Requests over HTTP/2: all informers' watches share a connection, and another is opened when the server allows no
 * more streams. A connection that breaks ends its requests with TransportError; the next request opens a new one.
 */
export class Http2Transport implements Transport {
  readonly #options: Http2TransportOptions;
  readonly #connections = new Set<Connection>();
  #closed = false;

  constructor(options: Http2TransportOptions) {
    this.#options = options;
  }

  async send(request: TransportRequest): Promise<TransportResponse> {
    if (this.#closed) throw new TransportError('the transport is closed');
    return this.#connection().send(request);
  }

  close(): void {
    this.#closed = true;
    for (const connection of this.#connections) connection.close();
  }

  #connection(): Connection {
    for (const connection of this.#connections) if (connection.hasRoom) return connection;
    const connection: Connection = new Connection(this.#options, () => this.#connections.delete(connection));
    this.#connections.add(connection);
    return connection;
  }
}

class Connection {
  readonly #session: ClientHttp2Session;
  readonly #authority: string;
  #streams = 0;
  #usable = true;
  #lastError: Error | undefined;

  constructor(options: Http2TransportOptions, onUnusable: () => void) {
    const { host: authority, hostname, port } = new URL(options.server);
    this.#authority = authority;
    const host = hostname.replace(/^\[|\]$/g, '');
    const socket = connectTls({
      host,
      port: Number(port === '' ? 443 : port),
      ALPNProtocols: ['h2'],
      ...(options.ca === undefined ? {} : { ca: options.ca }),
      ...options.clientCertificate,
      // Addresses are no server names.
      ...(options.serverName === undefined && isIP(host) !== 0 ? {} : { servername: options.serverName ?? host }),
      ...(options.insecureSkipVerify === true ? { rejectUnauthorized: false } : {}),
    });
    socket.setNoDelay(true);
    this.#session = connect(options.server, {
      // Responses are read at once; a window of Node's size (64 KiB) would stall lists.
      settings: { initialWindowSize: 1 << 20, enablePush: false },
      createConnection: () => new UnblockedSocket(socket),
    });
    const unusable = (): void => {
      this.#usable = false;
      onUnusable();
    };
    this.#session.on('error', (error: Error) => {
      this.#lastError = error;
      unusable();
    });
    this.#session.on('goaway', unusable);
    this.#session.on('close', unusable);
    this.#session.on('connect', () => {
      // Told a turn later: the connection may have been given up, or lost, since.
      if (!this.#session.destroyed) this.#session.setLocalWindowSize(4 << 20);
    });
    this.#session.setTimeout(PING_AFTER_MS, () => this.#ping());
  }

  get hasRoom(): boolean {
    return this.#usable && this.#streams < (this.#session.remoteSettings?.maxConcurrentStreams ?? DEFAULT_STREAMS);
  }

  send(request: TransportRequest): Promise<TransportResponse> {
    const { method, path, headers, body, signal } = request;
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(new TransportError('aborted', { cause: signal.reason }));
      const stream = this.#session.request(
        { ':method': method, ':path': path, ':authority': this.#authority, ...headers },
        { endStream: body === undefined },
      );
      this.#streams++;
      // A list is read in as few pieces as possible.
      const onAbort = (): void => stream.close(constants.NGHTTP2_CANCEL);
      signal?.addEventListener('abort', onAbort, { once: true });
      stream.on('response', (fields) => {
        resolve({
          status: Number(fields[':status']),
          headers: fields as TransportResponse['headers'],
          body: bodyOf(stream, fields['content-length']),
        });
      });
      stream.on('error', (error: Error) => {
        this.#lastError = error;
      });
      stream.on('close', () => {
        this.#streams--;
        signal?.removeEventListener('abort', onAbort);
        const cause = this.#lastError;
        reject(new TransportError(`${method} ${path}: ${cause?.message ?? 'the connection was closed'}`, { cause }));
      });
      if (body !== undefined) stream.end(body);
    });
  }

  close(): void {
    this.#usable = false;
    this.#session.destroy();
  }

  #ping(): void {
    if (!this.#usable || this.#session.destroyed) return;
    const late = setTimeout(
      () => this.#session.destroy(new Error('the server does not answer pings')),
      PING_TIMEOUT_MS,
    );
    late.unref();
    this.#session.ping(() => clearTimeout(late));
  }
}

/**
 * The body as it comes. Node's iterator now and then takes the end of a stream that closes at the same moment for a
 * break; whether it was one, the stream knows.
 */
async function* bodyOf(stream: ClientHttp2Stream, contentLength: string | undefined): AsyncGenerator<Uint8Array> {
  let length = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      length += chunk.length;
      yield chunk;
    }
  } catch (error) {
    const complete = contentLength === undefined || Number(contentLength) === length;
    if (!stream.readableEnded || stream.rstCode !== constants.NGHTTP2_NO_ERROR || !complete) throw error;
  }
}
