import type { ClientHttp2Stream } from 'node:http2';
import { GRPCMessages } from '@kubechain/apimachinery/wire';
import { EtcdError, errorFromGrpcStatus, isEtcdError } from './etcd-error.ts';
import type { Duplex, GrpcConnection, UnaryOptions } from './grpc-connection.ts';
import { refuseCompressed } from './refuse-compressed.ts';

/** The embedded store's method for calls that share a stream; etcd does not know it. */
const path = '/kubechain.v1.Calls/Join';
/** Of gRPC before each message: a flag and the length. */
const prefixBytes = 5;
/** Of a request: the call's number, and the length of the method's path. Of a reply: the number, and its status. */
const headBytes = 5;
/** Between two attempts to open a stream at a server that could not be asked. */
const pauseMs = 1000;

/**
 * Unary calls of one connection that share a stream, where the server offers that (the embedded store: joined-calls.ts
 * there has the format). A stream of HTTP/2 for each call, with its headers and trailers, costs both ends more than
 * what is said on it.
 */
export class JoinedCalls {
  readonly #connection: GrpcConnection;
  #stream: JoinedStream | undefined;
  #asking = false;
  /** The server does not offer it. */
  #refused = false;
  #askAgainMs = 0;

  constructor(connection: GrpcConnection) {
    this.#connection = connection;
  }

  /** Where to call; undefined while there is none: calls go on streams of their own then. */
  get stream(): JoinedStream | undefined {
    if (this.#stream === undefined && !this.#asking && !this.#refused && performance.now() >= this.#askAgainMs)
      void this.#ask();
    return this.#stream?.open === true ? this.#stream : undefined;
  }

  /** Calls are sent only when the server has taken the stream, so that no write depends on whether it does. */
  async #ask(): Promise<void> {
    this.#asking = true;
    const joined = new JoinedStream(this.#connection);
    const gone = (): void => {
      if (this.#stream === joined) this.#stream = undefined;
    };
    try {
      const duplex = await this.#connection.duplex(
        path,
        (error) => {
          gone();
          this.#asking = false;
          if (!joined.started) this.#notOffered(error);
          joined.lost(error ?? new EtcdError('Unavailable', 'the store ended the stream of calls'));
        },
        () => {
          gone();
          joined.finish();
        },
      );
      duplex.stream.once('response', (headers) => {
        if (headers['grpc-status'] !== undefined || headers[':status'] !== 200) return;
        this.#asking = false;
        joined.start(duplex);
        if (joined.open) this.#stream = joined;
      });
    } catch {
      // The call that asked meets the same, and tells it.
      this.#asking = false;
      this.#askAgainMs = performance.now() + pauseMs;
    }
  }

  #notOffered(error: EtcdError | undefined): void {
    if (isEtcdError(error, 'Unavailable')) this.#askAgainMs = performance.now() + pauseMs;
    else this.#refused = true;
  }
}

interface PendingCall {
  readonly resolve: (message: Buffer) => void;
  readonly reject: (error: EtcdError) => void;
}

/** One such stream. */
export class JoinedStream {
  readonly #connection: GrpcConnection;
  readonly #pending = new Map<number, PendingCall>();
  #duplex: Duplex | undefined;
  #next = 0;
  #finishing = false;

  constructor(connection: GrpcConnection) {
    this.#connection = connection;
  }

  get started(): boolean {
    return this.#duplex !== undefined;
  }

  /** Takes calls. */
  get open(): boolean {
    return this.#duplex?.stream.destroyed === false && !this.#finishing;
  }

  start(duplex: Duplex): void {
    this.#duplex = duplex;
    const messages = new GRPCMessages(refuseCompressed);
    duplex.stream.on('data', (chunk: Buffer) => {
      try {
        for (const message of messages.push(chunk)) this.#answered(message);
      } catch (error) {
        duplex.fail(
          error instanceof EtcdError
            ? error
            : new EtcdError('Internal', 'a joined reply cannot be read', { cause: error }),
        );
      }
    });
    if (this.#finishing) this.finish();
  }

  /** As {@link GrpcConnection.unary}. */
  unary(method: string, frame: Buffer, { signal, timeoutMs }: UnaryOptions): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(cancelled());
        return;
      }
      const number = this.#next;
      this.#next = (number + 1) >>> 0;
      const settled = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        this.#pending.delete(number);
      };
      const fail = (error: EtcdError): void => {
        settled();
        reject(error);
        this.#endWhenDone();
      };
      const timer = setTimeout(() => {
        this.#connection.probe();
        fail(this.#connection.unanswered(timeoutMs));
      }, timeoutMs);
      const abort = (): void => fail(cancelled());
      signal?.addEventListener('abort', abort);
      this.#pending.set(number, {
        resolve: (message) => {
          settled();
          resolve(message);
        },
        reject: (error) => {
          settled();
          reject(error);
        },
      });
      this.#send(requestFrame(number, method, frame));
    });
  }

  /** No more calls: those under way are waited for. */
  finish(): void {
    this.#finishing = true;
    this.#endWhenDone();
  }

  /** Fails what has no answer: it may have been done, whatever the stream ended with. */
  lost(error: EtcdError): void {
    const mayBeDone = error.notSent ? new EtcdError(error.code, error.message, { cause: error }) : error;
    for (const call of this.#pending.values()) call.reject(mayBeDone);
  }

  /** What is asked in one turn goes out as one. */
  #send(frame: Buffer): void {
    const { stream } = this.#duplex!;
    if (stream.writableCorked === 0) {
      stream.cork();
      process.nextTick(uncork, stream);
    }
    stream.write(frame);
  }

  #answered(message: Buffer): void {
    const status = message.readUInt8(4);
    // None when it was given up.
    const call = this.#pending.get(message.readUInt32BE(0));
    const body = message.subarray(headBytes);
    if (status === 0) call?.resolve(body);
    else call?.reject(errorFromGrpcStatus(status, body.toString()));
    this.#endWhenDone();
  }

  #endWhenDone(): void {
    if (this.#finishing && this.#pending.size === 0) this.#duplex?.stream.end();
  }
}

function requestFrame(number: number, method: string, frame: Buffer): Buffer {
  const joined = Buffer.allocUnsafe(headBytes + method.length + frame.length);
  joined.writeUInt8(0, 0);
  joined.writeUInt32BE(joined.length - prefixBytes, 1);
  joined.writeUInt32BE(number, prefixBytes);
  joined.writeUInt8(method.length, prefixBytes + 4);
  joined.write(method, prefixBytes + headBytes, 'latin1');
  frame.copy(joined, prefixBytes + headBytes + method.length, prefixBytes);
  return joined;
}

function cancelled(): EtcdError {
  return new EtcdError('Cancelled', 'the request was cancelled');
}

function uncork(stream: ClientHttp2Stream): void {
  stream.uncork();
}
