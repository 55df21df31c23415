import { limits } from '@kubechain/apimachinery';

/** What went wrong with an etcd call, as far as callers act on it. */
export type EtcdErrorCode =
  | 'Compacted'
  | 'FutureRevision'
  | 'LeaseNotFound'
  | 'NoSpace'
  | 'RequestTooLarge'
  | 'ResponseTooLarge'
  | 'Unavailable'
  | 'DeadlineExceeded'
  | 'Cancelled'
  | 'PermissionDenied'
  | 'InvalidArgument'
  | 'Internal';

/** The one error class of the etcd client. `message` is etcd's own text when etcd answered. */
export class EtcdError extends Error {
  override readonly name = 'EtcdError';
  readonly code: EtcdErrorCode;
  /** True when the request certainly did not reach a server: repeating even a write is safe. */
  readonly notSent: boolean;
  constructor(code: EtcdErrorCode, message: string, options: { notSent?: boolean; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.notSent = options.notSent ?? false;
  }
}

/** Narrows to EtcdError, optionally to one code. */
export function isEtcdError(error: unknown, code?: EtcdErrorCode): error is EtcdError {
  return error instanceof EtcdError && (code === undefined || error.code === code);
}

/** Texts that etcd distinguishes only by message (etcd api/v3/v3rpc/rpctypes/error.go). */
const codeByText: readonly (readonly [string, EtcdErrorCode])[] = [
  ['required revision has been compacted', 'Compacted'],
  ['required revision is a future revision', 'FutureRevision'],
  ['requested lease not found', 'LeaseNotFound'],
  ['database space exceeded', 'NoSpace'],
  ['request is too large', 'RequestTooLarge'],
  // Of the time that it gives itself: etcd 3.4 answers so with the status Unknown.
  ['context deadline exceeded', 'DeadlineExceeded'],
];

const codeByGrpcStatus = new Map<number, EtcdErrorCode>([
  [1, 'Cancelled'],
  [3, 'InvalidArgument'],
  [4, 'DeadlineExceeded'],
  [7, 'PermissionDenied'],
  [14, 'Unavailable'],
  [16, 'PermissionDenied'],
]);

/** gRPC status and message → error. */
export function errorFromGrpcStatus(status: number, message: string): EtcdError {
  for (const [text, code] of codeByText) if (message.includes(text)) return new EtcdError(code, message);
  return new EtcdError(
    codeByGrpcStatus.get(status) ?? 'Internal',
    message === '' ? `etcd answered with gRPC status ${status}` : message,
  );
}

/** What a call without an answer fails with. */
export function unanswered(server: string, timeoutMs: number): EtcdError {
  return new EtcdError('DeadlineExceeded', `${server} did not answer within ${timeoutMs} ms`);
}

/** What a call fails with whose connection has ended before its answer. */
export function connectionLost(server: string, options: { notSent?: boolean; cause?: unknown } = {}): EtcdError {
  return new EtcdError('Unavailable', `the connection to ${server} was lost`, options);
}

/** What a call fails with whose answer is longer than `storeAnswer`. */
export function answerTooLong(server: string): EtcdError {
  return new EtcdError('ResponseTooLarge', `${server} answered with more than ${limits.storeAnswer.value} bytes`);
}

/** What a call fails with where taking its answer has thrown. */
export function answerNotTaken(server: string, error: unknown): EtcdError {
  return error instanceof EtcdError
    ? error
    : new EtcdError('Internal', `what ${server} answered could not be processed`, { cause: error });
}
