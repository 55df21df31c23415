import type { EtcdError } from './etcd-error.ts';

/** An open call with messages in both directions. */
export interface CallStream {
  /** False once it is over. */
  readonly open: boolean;
  /** Sends a message with gRPC's five bytes before it. What is sent in one turn goes out as one. */
  send(frame: Buffer): void;
  /** Nothing more will be sent. */
  end(): void;
  /** Ends it from this side. */
  fail(error: EtcdError): void;
  /** Stops reading: flow control makes the server keep what it has to say. */
  pause(): void;
  resume(): void;
  /** Finds out whether the server is still there, and breaks the connection when it is not. */
  probe(): void;
}

/** Is told of a call, in order. */
export interface CallStreamHandler {
  /** One whole message. It may be kept. @throws to end the call */
  message(bytes: Buffer): void;
  /** A message that is longer than any may be; only what it begins with has been kept. Absent: ends the call. */
  overlong?(beginning: Buffer): void;
  /** The server takes no more requests. Absent: the call ends with `Unavailable`. */
  goingAway?(): void;
  /** Exactly once, last. Undefined: status OK. */
  ended(error: EtcdError | undefined): void;
}
