import { grpcPrefixBytes, joinedHeadBytes } from '@kubechain/apimachinery/wire';
import type { CallStream, CallStreamHandler } from './call-stream.ts';
import { answerTooLong, connectionLost, EtcdError, errorFromGrpcStatus, unanswered } from './etcd-error.ts';
import type { UnaryOptions } from './unary-options.ts';

export interface JoinedStreamOptions {
  /** What errors call the server: `etcd at http://…`. */
  readonly server: string;
  /** It takes no more calls; called once or more. */
  readonly gone: () => void;
}

/** Unary calls that share a stream (apimachinery's wire/joined-calls.ts has the format). */
export class JoinedStream implements CallStreamHandler {
  readonly #options: JoinedStreamOptions;
  readonly #pending = new Map<number, PendingCall>();
  #stream: CallStream | undefined;
  #next = 0;
  #finishing = false;

  constructor(options: JoinedStreamOptions) {
    this.#options = options;
  }

  get started(): boolean {
    return this.#stream !== undefined;
  }

  /** Takes calls. */
  get open(): boolean {
    return this.#stream?.open === true && !this.#finishing;
  }

  start(stream: CallStream): void {
    this.#stream = stream;
    this.#endWhenDone();
  }

  /** Sends `frame` and resolves to the response message. @throws EtcdError */
  unary(method: string, frame: Buffer, { signal, timeoutMs }: UnaryOptions): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const stream = this.#stream;
      if (signal?.aborted === true) {
        reject(cancelled());
        return;
      }
      if (stream === undefined || !this.open) {
        reject(connectionLost(this.#options.server, { notSent: true }));
        return;
      }
      const number = this.#next;
      this.#next = (number + 1) >>> 0;
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        this.#pending.delete(number);
      };
      const fail = (error: EtcdError): void => {
        end();
        reject(error);
        this.#endWhenDone();
      };
      const timer = setTimeout(() => {
        stream.probe();
        fail(unanswered(this.#options.server, timeoutMs));
      }, timeoutMs);
      const abort = (): void => fail(cancelled());
      signal?.addEventListener('abort', abort);
      this.#pending.set(number, { end, resolve, reject });
      stream.send(requestFrame(number, method, frame));
    });
  }

  message(bytes: Buffer): void {
    if (bytes.length < joinedHeadBytes) throw new EtcdError('Internal', 'a joined reply ends within its head');
    const status = bytes.readUInt8(4);
    // None when it was given up.
    const call = this.#pending.get(bytes.readUInt32BE(0));
    if (call !== undefined) {
      call.end();
      const body = bytes.subarray(joinedHeadBytes);
      if (status === 0) call.resolve(body);
      else call.reject(errorFromGrpcStatus(status, body.toString()));
    }
    this.#endWhenDone();
  }

  overlong(beginning: Buffer): void {
    const call = this.#pending.get(beginning.readUInt32BE(0));
    call?.end();
    call?.reject(answerTooLong(this.#options.server));
    this.#endWhenDone();
  }

  /** No more calls: those under way are waited for. */
  goingAway(): void {
    this.#options.gone();
    this.#finishing = true;
    this.#endWhenDone();
  }

  /** Fails what has no answer: it may have been done, whatever the stream ended with. */
  ended(error: EtcdError | undefined): void {
    this.#options.gone();
    const reason = error ?? new EtcdError('Unavailable', 'the store ended the stream of calls');
    const mayBeDone = reason.notSent ? new EtcdError(reason.code, reason.message, { cause: reason }) : reason;
    for (const call of this.#pending.values()) {
      call.end();
      call.reject(mayBeDone);
    }
  }

  #endWhenDone(): void {
    if (this.#finishing && this.#pending.size === 0) this.#stream?.end();
  }
}

interface PendingCall {
  /** It has its outcome. */
  readonly end: () => void;
  readonly resolve: (message: Buffer) => void;
  readonly reject: (error: EtcdError) => void;
}

function requestFrame(number: number, method: string, frame: Buffer): Buffer {
  const joined = Buffer.allocUnsafe(joinedHeadBytes + method.length + frame.length);
  joined.writeUInt8(0, 0);
  joined.writeUInt32BE(joined.length - grpcPrefixBytes, 1);
  joined.writeUInt32BE(number, grpcPrefixBytes);
  joined.writeUInt8(method.length, grpcPrefixBytes + 4);
  joined.write(method, grpcPrefixBytes + joinedHeadBytes, 'latin1');
  frame.copy(joined, grpcPrefixBytes + joinedHeadBytes + method.length, grpcPrefixBytes);
  return joined;
}

function cancelled(): EtcdError {
  return new EtcdError('Cancelled', 'the request was cancelled');
}
