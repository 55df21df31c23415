import type { ClientHttp2Session, ClientHttp2Stream, ClientSessionOptions, IncomingHttpHeaders } from 'node:http2';
import type { Socket } from 'node:net';
import { limits } from '@kubechain/apimachinery';
import { callSpan } from './call-span.ts';
import { describeFailure, dial } from './dial.ts';
import { answerTooLong, connectionLost, EtcdError, errorFromGrpcStatus, unanswered } from './etcd-error.ts';
import type { EndpointOptions } from './endpoint-options.ts';
import type { UnaryOptions } from './unary-options.ts';
import { UnblockedSocket } from './unblocked-socket.ts';

/** Receive window of one call: a LIST page of 1 MiB and more arrives without waiting for window updates. */
const streamWindowBytes = 4 * 1024 * 1024;
/**
 * Receive window of the connection: a paused watch must not starve the other calls, so it is much larger than a
 * stream's.
 */
const connectionWindowBytes = 256 * 1024 * 1024;
/** Reasons to reset a stream (RFC 9113, 7). */
const refusedStream = 7;
const cancel = 8;

/** An open bidirectional call. */
export interface Duplex {
  readonly stream: ClientHttp2Stream;
  /** Ends it from this side. */
  readonly fail: (error: EtcdError) => void;
}

/** Bytes of a connection so far; `asked`: something was sent that nothing has come back after. */
interface Traffic {
  readonly socket: Socket | undefined;
  readonly read: number;
  readonly written: number;
  readonly asked: boolean;
}

/**
 * An HTTP/2 connection to an etcd endpoint, opened by the first call and again after it broke.
 * gRPC is spoken directly: one request message per unary call, length-prefixed messages, status in the trailers.
 */
export class GrpcConnection {
  readonly url: string;
  readonly #options: EndpointOptions;
  readonly #unblocked: boolean;
  #session: ClientHttp2Session | undefined;
  #connecting: Promise<ClientHttp2Session> | undefined;
  /** Of the connection that is being made. */
  #newSession: ClientHttp2Session | undefined;
  /** Told that the peer takes no more calls on the connection: one of each open bidirectional call. */
  readonly #goingAway = new Set<(error: EtcdError) => void>();
  #openCalls = 0;
  /** Of open calls: the idle probe, and the look at what was heard. */
  #keepalive: NodeJS.Timeout | undefined;
  #listening: NodeJS.Timeout | undefined;
  #socket: Socket | undefined;
  #traffic: Traffic = { socket: undefined, read: 0, written: 0, asked: false };
  #probing = false;
  #closed = false;
  readonly #peer: string;

  /**
   * @param url `http://host:port`, `https://host:port` or `unix:PATH`
   * @param unblocked goes on reading whatever it has to write ({@link UnblockedSocket})
   */
  constructor(url: string, options: EndpointOptions, unblocked: boolean) {
    this.url = url;
    this.#options = options;
    this.#unblocked = unblocked;
    this.#peer = options.peer ?? 'etcd';
  }

  /** Sends `frame` and resolves to the response message. @throws EtcdError `ResponseTooLarge` besides others */
  async unary(path: string, frame: Buffer, options: UnaryOptions): Promise<Buffer> {
    const deadline = Date.now() + options.timeoutMs;
    const span = callSpan(path);
    const session = await this.#connected();
    return new Promise<Buffer>((resolve, reject) => {
      const stream = this.#open(session, path, {
        'grpc-timeout': `${Math.max(1, deadline - Date.now())}m`,
        ...(span === undefined ? {} : { traceparent: span.traceparent }),
      });
      const chunks: Buffer[] = [];
      let size = 0;
      const finish = (error: EtcdError | undefined): void => {
        clearTimeout(timer);
        options.signal?.removeEventListener('abort', abort);
        span?.end(error);
        if (error !== undefined) {
          reject(error);
          return;
        }
        const body = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size);
        if (body.length < 5 || body.length !== 5 + body.readUInt32BE(1))
          reject(new EtcdError('Internal', `${this.#peer} sent a malformed response`));
        else resolve(body.subarray(5));
      };
      const timer = setTimeout(
        () => {
          this.#probe(session);
          fail(unanswered(this.server, options.timeoutMs));
        },
        Math.max(1, deadline - Date.now()),
      );
      const abort = (): void => fail(new EtcdError('Cancelled', 'the request was cancelled'));
      const fail = this.#watchStatus(stream, finish);
      stream.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        // Given up while it comes: putting it together would hold up everybody in this process.
        if (size <= limits.storeAnswer.value) return;
        chunks.length = 0;
        fail(answerTooLong(this.#peer));
      });
      if (options.signal?.aborted === true) abort();
      else options.signal?.addEventListener('abort', abort);
      stream.end(frame);
    });
  }

  /**
   * Opens a bidirectional call. `ended` is called exactly once, undefined = status OK; with Unavailable when the peer
   * says that it takes no more calls, unless there is a `goingAway` to be told instead.
   */
  async duplex(path: string, ended: (error: EtcdError | undefined) => void, goingAway?: () => void): Promise<Duplex> {
    const session = await this.#connected();
    // etcd ends the stream when its member loses the leader, so that the caller can go to another member.
    const stream = this.#open(session, path, { hasleader: 'true' });
    const fail = this.#watchStatus(stream, ended);
    const told = goingAway ?? fail;
    this.#goingAway.add(told);
    stream.once('close', () => this.#goingAway.delete(told));
    return { stream, fail };
  }

  /** Is there, or being made. */
  get connected(): boolean {
    return this.#connecting !== undefined || (this.#session?.closed === false && !this.#session.destroyed);
  }

  /** What errors call the server. */
  get server(): string {
    return `${this.#peer} at ${this.url}`;
  }

  /** Finds out whether the peer is still there, and breaks the connection when it is not. */
  probe(): void {
    if (this.#session !== undefined) this.#probe(this.#session);
  }

  /** Breaks the connection; open calls fail. */
  close(): void {
    this.#closed = true;
    this.#stopKeepalive();
    this.#session?.destroy();
    this.#session = undefined;
    this.#newSession?.destroy();
  }

  #open(session: ClientHttp2Session, path: string, headers: Record<string, string>): ClientHttp2Stream {
    const stream = session.request({
      ':method': 'POST',
      ':path': path,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...headers,
    });
    if (this.#openCalls++ === 0) this.#startKeepalive();
    stream.once('close', () => {
      if (--this.#openCalls === 0) this.#stopKeepalive();
    });
    return stream;
  }

  /** Turns trailers, resets and lost connections into one call of `done`; the result fails the call from this side. */
  #watchStatus(stream: ClientHttp2Stream, done: (error: EtcdError | undefined) => void): (error: EtcdError) => void {
    let status: string | undefined;
    let message = '';
    let httpStatus: number | undefined;
    let cause: unknown;
    let finished = false;
    const finish = (error: EtcdError | undefined): void => {
      if (finished) return;
      finished = true;
      done(error);
    };
    const readStatus = (headers: IncomingHttpHeaders): void => {
      const value = headers['grpc-status'];
      if (value === undefined) return;
      status = String(value);
      message = decodeMessage(String(headers['grpc-message'] ?? ''));
    };
    stream.on('response', (headers) => {
      httpStatus = headers[':status'];
      readStatus(headers);
    });
    stream.on('trailers', readStatus);
    stream.on('error', (error) => {
      cause = error;
    });
    stream.on('close', () => {
      if (status === '0') finish(undefined);
      else if (status !== undefined) finish(errorFromGrpcStatus(Number(status), message));
      else if (httpStatus !== undefined && httpStatus !== 200)
        finish(new EtcdError('Unavailable', `${this.server} answered with HTTP status ${httpStatus}`));
      else {
        finish(connectionLost(this.server, { cause, notSent: stream.rstCode === refusedStream }));
      }
    });
    return (error) => {
      finish(error);
      stream.close(cancel);
    };
  }

  #connected(): Promise<ClientHttp2Session> {
    const session = this.#session;
    if (session !== undefined && !session.closed && !session.destroyed) return Promise.resolve(session);
    if (this.#closed) return Promise.reject(new EtcdError('Cancelled', `the ${this.#peer} client is closed`));
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
      this.#newSession = undefined;
    });
    return this.#connecting;
  }

  #connect(): Promise<ClientHttp2Session> {
    return new Promise((resolve, reject) => {
      const socket = dial(this.url, this.#options, { protocols: ['h2'] });
      const options: ClientSessionOptions = {
        settings: { enablePush: false, initialWindowSize: streamWindowBytes },
        // MB; nghttp2 would refuse new streams above 10 MB of buffered data.
        maxSessionMemory: 1024,
        createConnection: () => (this.#unblocked ? new UnblockedSocket(socket) : socket),
      };
      let session: ClientHttp2Session;
      let lastError: Error | undefined;
      const unreachable = (): void => {
        clearTimeout(timer);
        reject(
          new EtcdError('Unavailable', `${this.server} cannot be reached: ${describeFailure(lastError)}`, {
            notSent: true,
            cause: lastError,
          }),
        );
      };
      const timer = setTimeout(() => {
        lastError ??= new Error(`no connection within ${this.#options.connectTimeoutMs} ms`);
        session.destroy();
        unreachable();
      }, this.#options.connectTimeoutMs);
      try {
        // Loaded by the first who needs it: the embedded store is asked without.
        const { connect } = process.getBuiltinModule('node:http2');
        session = connect(this.url.startsWith('unix:') ? 'http://localhost' : this.url, options);
      } catch (error) {
        lastError = error instanceof Error ? error : new Error(String(error));
        unreachable();
        return;
      }
      this.#newSession = session;
      session.on('error', (error) => {
        lastError ??= error;
      });
      // A server may refuse the client's certificate after the handshake; the session alone would not notice.
      socket.once('error', (error) => {
        lastError = error;
        session.destroy();
        socket.destroy();
        unreachable();
      });
      session.once('close', () => {
        if (this.#session === session) this.#session = undefined;
        unreachable();
      });
      session.once('goaway', () => {
        if (this.#session !== session) return;
        this.#session = undefined;
        // node:http2 sends no pings from here on, so that nothing would tell whether the peer is still there: a store
        // whose pod is replaced says this shortly before its address is gone.
        for (const told of this.#goingAway) told(new EtcdError('Unavailable', `${this.server} takes no more calls`));
      });
      session.once('connect', () => {
        // Told a turn later: the connection may have been given up, or lost, since.
        if (!session.destroyed) session.setLocalWindowSize(connectionWindowBytes);
      });
      // The server's settings prove that it speaks HTTP/2, which a bare TCP connection does not.
      session.once('remoteSettings', () => {
        clearTimeout(timer);
        if (this.#closed) {
          session.destroy();
          reject(new EtcdError('Cancelled', `the ${this.#peer} client is closed`));
          return;
        }
        this.#session = session;
        this.#socket = socket;
        resolve(session);
      });
    });
  }

  #startKeepalive(): void {
    this.#stopKeepalive();
    this.#keepalive = setInterval(() => {
      this.probe();
    }, this.#options.keepaliveIntervalMs);
    this.#keepalive.unref();
    this.#traffic = this.#counted(false);
    this.#listening = setInterval(() => {
      const before = this.#traffic;
      const now = this.#counted(false);
      const quiet = now.socket === before.socket && now.read === before.read;
      // What was sent in the time in which something was heard may have been sent after it.
      this.#traffic = { ...now, asked: now.written !== before.written || (quiet && before.asked) };
      if (quiet && this.#traffic.asked) this.probe();
    }, this.#options.silenceMs);
    this.#listening.unref();
  }

  #counted(asked: boolean): Traffic {
    const socket = this.#socket;
    return { socket, read: socket?.bytesRead ?? 0, written: socket?.bytesWritten ?? 0, asked };
  }

  #stopKeepalive(): void {
    clearInterval(this.#keepalive);
    clearInterval(this.#listening);
  }

  /** Destroys the connection unless a ping is answered in time: a peer that vanished sends no FIN. */
  #probe(session: ClientHttp2Session): void {
    if (session.closed || session.destroyed || this.#probing) return;
    this.#probing = true;
    const done = (): void => {
      this.#probing = false;
      clearTimeout(timer);
    };
    const timer = setTimeout(() => {
      // When this process itself was busy all the time, the answer may just not have been read.
      setImmediate(() => {
        setImmediate(() => {
          if (!this.#probing) return;
          done();
          session.destroy(new Error('keepalive ping was not answered'));
        });
      });
    }, this.#options.keepaliveTimeoutMs);
    session.once('close', done);
    session.ping(() => {
      session.off('close', done);
      done();
      this.#traffic = this.#counted(false);
    });
  }
}

/** grpc-message is percent-encoded. */
function decodeMessage(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
