import { activeSpan } from '../tracing/span.ts';
import type { EndpointOptions } from './endpoint-options.ts';
import type { EtcdError } from './etcd-error.ts';
import type { CallStream, CallStreamHandler } from './call-stream.ts';
import { GrpcCallStream } from './grpc-call-stream.ts';
import { GrpcConnection } from './grpc-connection.ts';
import type { Duplex } from './grpc-connection.ts';
import { JoinedCalls } from './joined-calls.ts';
import type { UnaryOptions } from './unary-options.ts';

/** Of requests without an answer, on the connection that must not block: kernels keep three times as much. */
const mostUnansweredBytes = 64 * 1024;
/** What a call's headers and frames may take beside its message. */
const callBytes = 512;

export interface EndpointCall extends UnaryOptions {
  /** The answer may be as large as many objects. Default false. */
  readonly longAnswer?: boolean;
}

/**
 * One endpoint that speaks gRPC, and two connections of HTTP/2 to it.
 *
 * node:http2 stops reading while it writes. Two of its ends that both have more to say than the kernel's buffers hold
 * wait for each other for ever, unless one of them goes on reading ({@link UnblockedSocket}), which costs a tenth of
 * all that a create costs kube-apiserver (620 against 560 µs). An end that never has so much to say never stops reading
 * either: so requests go over the connection of node:http2's own while few bytes of them are without an answer, and the
 * others over one that does not block, opened when it is first needed.
 */
export class Endpoint {
  readonly url: string;
  readonly #connection: GrpcConnection;
  readonly #unblocked: GrpcConnection;
  readonly #joined: JoinedCalls | undefined;
  #unansweredBytes = 0;

  /** @param url `http://host:port`, `https://host:port`, `unix:PATH` or `host:port` (taken as http). */
  constructor(url: string, options: EndpointOptions) {
    this.url = /^(https?|unix):/.test(url) ? url : `http://${url}`;
    this.#connection = new GrpcConnection(this.url, options, false);
    this.#joined = options.joinCalls === true ? new JoinedCalls(this.#connection) : undefined;
    this.#unblocked = new GrpcConnection(this.url, options, true);
  }

  /** Sends `frame` and resolves to the response message. */
  async unary(path: string, frame: Buffer, options: EndpointCall): Promise<Buffer> {
    const bytes = frame.length + callBytes;
    if (this.#unansweredBytes + bytes > mostUnansweredBytes) return this.#unblocked.unary(path, frame, options);
    this.#unansweredBytes += bytes;
    try {
      // A long answer would hold up those behind it, and a span is the server's only with the call's own headers.
      const joined = options.longAnswer === true || activeSpan() !== undefined ? undefined : this.#joined?.stream;
      return await (joined ?? this.#connection).unary(path, frame, options);
    } finally {
      this.#unansweredBytes -= bytes;
    }
  }

  /** Opens a bidirectional call, of few and small requests. `ended` is called exactly once, undefined = status OK. */
  duplex(path: string, ended: (error: EtcdError | undefined) => void): Promise<Duplex> {
    return this.#connection.duplex(path, ended);
  }

  /** Opens a bidirectional call of messages. */
  async stream(path: string, handler: CallStreamHandler): Promise<CallStream> {
    const duplex = await this.#connection.duplex(
      path,
      (error) => handler.ended(error),
      handler.goingAway?.bind(handler),
    );
    return new GrpcCallStream(this.#connection, duplex, handler);
  }

  /** What errors call the server: `etcd at http://…`. */
  get server(): string {
    return this.#connection.server;
  }

  /** Whether there is a connection, or one is being made. */
  get connected(): boolean {
    return this.#connection.connected || this.#unblocked.connected;
  }

  /** Breaks the connections; open calls fail. */
  close(): void {
    this.#connection.close();
    this.#unblocked.close();
  }
}
