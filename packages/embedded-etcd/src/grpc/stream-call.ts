import { corkForTurn, GRPCMessages } from '@kubechain/apimachinery/wire';
import type { ServerHttp2Stream } from 'node:http2';
import type { EtcdErrorReason } from '../errors/etcd-error.ts';
import { etcdError } from '../errors/etcd-error.ts';
import { checkPrefix } from './check-prefix.ts';
import type { StreamHandler, StreamMethod, StreamReplies } from './method.ts';
import { respondError, respondOk } from './trailers.ts';
import { toEtcdError } from './unary-call.ts';

/** One streaming call on an HTTP/2 stream. */
export class StreamCall implements StreamReplies {
  readonly #stream: ServerHttp2Stream;
  readonly #messages = new GRPCMessages(checkPrefix);
  readonly #handler: StreamHandler;
  #over = false;

  constructor(stream: ServerHttp2Stream, method: StreamMethod) {
    this.#stream = stream;
    respondOk(stream);
    this.#handler = method.open(this);
    stream.on('data', (chunk: Buffer) => this.#data(chunk));
    stream.on('end', () => {
      if (!this.#over) this.#handler.halfClosed();
    });
    stream.on('drain', () => {
      if (!this.#over) this.#handler.drained();
    });
    stream.on('close', () => this.#finish());
  }

  get queuedBytes(): number {
    return this.#stream.writableLength;
  }

  send(frame: Buffer, body?: Buffer): void {
    const stream = this.#stream;
    if (this.#over || stream.destroyed) return;
    // Replies of a commit go out as one.
    corkForTurn(stream);
    stream.write(frame);
    if (body !== undefined) stream.write(body);
  }

  readMore(more: boolean): void {
    if (more) this.#stream.resume();
    else if (!this.#over) this.#stream.pause();
  }

  end(): void {
    this.#finish();
    this.#stream.end();
  }

  fail(reason: EtcdErrorReason): void {
    this.#finish();
    respondError(this.#stream, etcdError(reason));
  }

  #data(chunk: Buffer): void {
    if (this.#over) return;
    try {
      for (const message of this.#messages.push(chunk)) this.#handler.message(message);
    } catch (error) {
      this.#finish();
      respondError(this.#stream, toEtcdError(error));
    }
  }

  #finish(): void {
    if (this.#over) return;
    this.#over = true;
    // What is not read would keep the stream open.
    this.#stream.resume();
    this.#handler.closed();
  }
}
