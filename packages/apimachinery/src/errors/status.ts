/** meta/v1 StatusReason values that the server itself produces. */
export type StatusReason =
  | ''
  | 'BadRequest'
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'AlreadyExists'
  | 'Conflict'
  | 'Gone'
  | 'Invalid'
  | 'ServerTimeout'
  | 'StorageReadError'
  | 'Timeout'
  | 'TooManyRequests'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'RequestEntityTooLarge'
  | 'UnsupportedMediaType'
  | 'InternalError'
  | 'Expired'
  | 'ServiceUnavailable';

/** One entry of `details.causes`. `field` is a path such as `spec.containers[0].name`. */
export interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}

/** What a Status says of the object that it is about, and what is wrong with it (meta/v1 StatusDetails). */
export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

/** meta/v1 Status as it goes over the wire. A type alias, so that it is assignable to KubeObject. */
export type Status = {
  kind: 'Status';
  apiVersion: 'v1';
  metadata: { continue?: string; resourceVersion?: string; remainingItemCount?: number };
  status: 'Success' | 'Failure';
  message?: string;
  reason?: string;
  details?: StatusDetails;
  /** HTTP status code. */
  code?: number;
};

/** The one error type of everything that answers a request: carries the Status body to send. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly status: Status;
  constructor(
    status: Omit<Status, 'kind' | 'apiVersion' | 'metadata' | 'reason'> & {
      metadata?: Status['metadata'];
      reason?: StatusReason;
    },
    options?: ErrorOptions,
  ) {
    super(status.message ?? '', options);
    // Built in the order of Go's struct, which is the order of the bytes on the wire.
    const body: Status = { kind: 'Status', apiVersion: 'v1', metadata: status.metadata ?? {}, status: status.status };
    if (status.message !== undefined) body.message = status.message;
    if (status.reason !== undefined && status.reason !== '') body.reason = status.reason;
    if (status.details !== undefined) body.details = status.details;
    if (status.code !== undefined) body.code = status.code;
    this.status = body;
  }
  get code(): number {
    return this.status.code ?? 500;
  }
  get reason(): string {
    return this.status.reason ?? '';
  }
}
