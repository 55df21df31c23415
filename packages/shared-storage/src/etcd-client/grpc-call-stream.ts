import { corkForTurn, GRPCMessages } from '@kubechain/apimachinery/wire';
import type { ClientHttp2Stream } from 'node:http2';
import type { CallStream, CallStreamHandler } from './call-stream.ts';
import { answerNotTaken, type EtcdError } from './etcd-error.ts';
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
        fail(answerNotTaken(connection.server, error));
      }
    });
  }

  get open(): boolean {
    return !this.#stream.destroyed;
  }

  send(frame: Buffer): void {
    const stream = this.#stream;
    corkForTurn(stream);
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
