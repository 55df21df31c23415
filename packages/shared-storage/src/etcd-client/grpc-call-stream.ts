import { GRPCMessages } from '@kubechain/apimachinery/wire';
import type { ClientHttp2Stream } from 'node:http2';
import type { CallStream, CallStreamHandler } from './call-stream.ts';
import { EtcdError } from './etcd-error.ts';
import type { Duplex, GrpcConnection } from './grpc-connection.ts';
import { refuseCompressed } from './refuse-compressed.ts';

/** A call with messages in both directions over HTTP/2. */
export class GrpcCallStream implements CallStream {
  readonly #connection: GrpcConnection;
  readonly #stream: ClientHttp2Stream;
  readonly #fail: (error: EtcdError) => void;

  constructor(connection: GrpcConnection, { fail, stream }: Duplex, handler: CallStreamHandler) {
    this.#connection = connection;
    this.#stream = stream;
    this.#fail = fail;
    const messages = new GRPCMessages(refuseCompressed);
    stream.on('data', (chunk: Buffer) => {
      try {
        for (const message of messages.push(chunk)) handler.message(message);
      } catch (error) {
        fail(
          error instanceof EtcdError
            ? error
            : new EtcdError('Internal', `what ${connection.server} answered could not be processed`, { cause: error }),
        );
      }
    });
  }

  get open(): boolean {
    return !this.#stream.destroyed;
  }

  send(frame: Buffer): void {
    const stream = this.#stream;
    if (stream.writableCorked === 0) {
      stream.cork();
      process.nextTick(uncork, stream);
    }
    stream.write(frame);
  }

  end(): void {
    this.#stream.end();
  }

  fail(error: EtcdError): void {
    this.#fail(error);
  }

  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    this.#stream.resume();
  }

  probe(): void {
    this.#connection.probe();
  }
}

function uncork(stream: ClientHttp2Stream): void {
  stream.uncork();
}
