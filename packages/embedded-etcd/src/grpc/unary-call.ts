import type { ServerHttp2Stream } from 'node:http2';
import { messageOf } from '@kubechain/apimachinery/message-of';
import { GRPCMessages, isWireError } from '@kubechain/apimachinery/wire';
import { EtcdError, GrpcCode, isEtcdError } from '../errors/etcd-error.ts';
import type { GroupCommit, HeldReply } from '../mvcc/group-commit.ts';
import { checkPrefix } from './check-prefix.ts';
import type { UnaryMethod } from './method.ts';
import { respondError, respondOk } from './trailers.ts';

/** What a failed handler tells the client. */
export function toEtcdError(error: unknown): EtcdError {
  if (isEtcdError(error)) return error;
  if (isWireError(error))
    return new EtcdError(GrpcCode.internal, `grpc: error unmarshalling request: ${error.message}`);
  return new EtcdError(GrpcCode.internal, `embedded-etcd: ${messageOf(error)}`, {
    cause: error,
  });
}

/** One unary call: runs as soon as its message is complete, answers after the commit of what it wrote or saw. */
export class UnaryCall implements HeldReply {
  readonly #stream: ServerHttp2Stream;
  readonly #method: UnaryMethod;
  readonly #commit: GroupCommit;
  readonly #messages = new GRPCMessages(checkPrefix);
  #started = false;
  #reply: Buffer | undefined;
  #error: EtcdError | undefined;

  constructor(stream: ServerHttp2Stream, method: UnaryMethod, commit: GroupCommit) {
    this.#stream = stream;
    this.#method = method;
    this.#commit = commit;
  }

  /** Takes received bytes. */
  data(chunk: Buffer): void {
    if (this.#started) return;
    try {
      const message = this.#messages.push(chunk)[0];
      if (message === undefined) return;
      this.#started = true;
      const reply = this.#method.invoke(message);
      if (reply instanceof Promise) {
        reply.then(
          (bytes) => this.#hold(bytes),
          (error: unknown) => this.#fail(error),
        );
        return;
      }
      this.#hold(reply);
    } catch (error) {
      this.#started = true;
      this.#fail(error);
    }
  }

  /** The client has sent everything. */
  end(): void {
    if (!this.#started) this.#fail(new EtcdError(GrpcCode.internal, 'grpc: the request ended before its message'));
  }

  release(): void {
    const stream = this.#stream;
    if (stream.destroyed || stream.closed) return;
    if (this.#error !== undefined) {
      respondError(stream, this.#error);
      return;
    }
    respondOk(stream);
    stream.end(this.#reply);
  }

  abandon(error: EtcdError): void {
    respondError(this.#stream, error);
  }

  #hold(reply: Buffer): void {
    this.#reply = reply;
    this.#commit.hold(this);
  }

  #fail(error: unknown): void {
    this.#error = toEtcdError(error);
    this.#commit.hold(this);
  }
}
