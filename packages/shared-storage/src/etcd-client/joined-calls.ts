import { joinedCallsPath } from '@kubechain/apimachinery/wire';
import { isEtcdError, type EtcdError } from './etcd-error.ts';
import { GrpcCallStream } from './grpc-call-stream.ts';
import type { GrpcConnection } from './grpc-connection.ts';
import { JoinedStream } from './joined-stream.ts';

/** Between two attempts to open a stream at a server that could not be asked. */
const pauseMs = 1000;

/**
 * Unary calls of one connection of HTTP/2 that share a stream, where the server offers that (embedded stores that know
 * no connections of one call). A stream for each call, with its headers and trailers, costs both ends more than what
 * is said on it.
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
    const joined = new JoinedStream({
      server: this.#connection.server,
      gone: () => {
        if (this.#stream === joined) this.#stream = undefined;
      },
    });
    try {
      const duplex = await this.#connection.duplex(
        joinedCallsPath,
        (error) => {
          this.#asking = false;
          if (!joined.started) this.#notOffered(error);
          joined.ended(error);
        },
        () => {
          joined.goingAway();
        },
      );
      duplex.stream.once('response', (headers) => {
        if (headers['grpc-status'] !== undefined || headers[':status'] !== 200) return;
        this.#asking = false;
        joined.start(new GrpcCallStream(this.#connection, duplex, joined));
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
