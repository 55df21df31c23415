import type { EtcdErrorReason } from '../errors/etcd-error.ts';
import type { MessageType } from '../proto/message.ts';
import { decode, encodeFrame } from '../proto/message.ts';

/** The replies of a streaming call. */
export interface StreamReplies {
  /**
   * Sends one framed message (see `encodeFrame`); never blocks, see `queuedBytes`.
   * @param body what follows `frame` in the message, where that is not all of it
   */
  send(frame: Buffer, body?: Buffer): void;
  /** Bytes handed over that the client has not taken yet. */
  readonly queuedBytes: number;
  /** Whether more requests are read; those that were read already still come. True to begin with. */
  readMore(more: boolean): void;
  /** Ends the call with status OK. */
  end(): void;
  /** Ends the call with one of etcd's errors. */
  fail(reason: EtcdErrorReason): void;
}

/** The server's side of a streaming call. */
export interface StreamHandler {
  /** One whole request message. @throws EtcdError to end the call */
  message(bytes: Buffer): void;
  /** The client sends no more. */
  halfClosed(): void;
  /** The queued replies have been taken. */
  drained(): void;
  /** The call is over, for whatever reason; called once. */
  closed(): void;
}

/** A call with one request and one reply. */
export interface UnaryMethod {
  readonly kind: 'unary';
  /** Answers the framed reply; what it writes is held back until the commit. @throws EtcdError */
  invoke(message: Buffer): Buffer | Promise<Buffer>;
}

/** A call with streams in both directions. */
export interface StreamMethod {
  readonly kind: 'stream';
  open(replies: StreamReplies): StreamHandler;
}

/** How a path of the server answers. */
export type Method = UnaryMethod | StreamMethod;

/** How to build a unary method. */
export interface UnaryParts<Request, Response> {
  readonly request: MessageType<Request>;
  readonly response: MessageType<Response>;
  /** `size` is that of the encoded request. */
  readonly handle: (request: Request, size: number) => Response | Promise<Response>;
  /** About how many bytes the encoded reply takes. */
  readonly sizeHint?: (response: Response) => number;
}

/** Joins codecs and handler. */
export function unary<Request, Response>(parts: UnaryParts<Request, Response>): UnaryMethod {
  const { request, response, handle, sizeHint } = parts;
  const toFrame = (reply: Response): Buffer => encodeFrame(response, reply, sizeHint?.(reply));
  return {
    kind: 'unary',
    invoke(message) {
      const reply = handle(decode(request, message), message.length);
      return reply instanceof Promise ? reply.then(toFrame) : toFrame(reply);
    },
  };
}
