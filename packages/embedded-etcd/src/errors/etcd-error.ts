/** gRPC status codes this server answers with. */
export const GrpcCode = {
  ok: 0,
  canceled: 1,
  unknown: 2,
  invalidArgument: 3,
  notFound: 5,
  resourceExhausted: 8,
  failedPrecondition: 9,
  outOfRange: 11,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  dataLoss: 15,
} as const;

const CATALOGUE = {
  emptyKey: [GrpcCode.invalidArgument, 'etcdserver: key is not provided'],
  keyNotFound: [GrpcCode.invalidArgument, 'etcdserver: key not found'],
  valueProvided: [GrpcCode.invalidArgument, 'etcdserver: value is provided'],
  leaseProvided: [GrpcCode.invalidArgument, 'etcdserver: lease is provided'],
  tooManyOps: [GrpcCode.invalidArgument, 'etcdserver: too many operations in txn request'],
  duplicateKey: [GrpcCode.invalidArgument, 'etcdserver: duplicate key given in txn request'],
  invalidSortOption: [GrpcCode.invalidArgument, 'etcdserver: invalid sort option'],
  compacted: [GrpcCode.outOfRange, 'etcdserver: mvcc: required revision has been compacted'],
  futureRevision: [GrpcCode.outOfRange, 'etcdserver: mvcc: required revision is a future revision'],
  noSpace: [GrpcCode.resourceExhausted, 'etcdserver: mvcc: database space exceeded'],
  leaseNotFound: [GrpcCode.notFound, 'etcdserver: requested lease not found'],
  leaseExists: [GrpcCode.failedPrecondition, 'etcdserver: lease already exists'],
  leaseTtlTooLarge: [GrpcCode.outOfRange, 'etcdserver: too large lease TTL'],
  requestTooLarge: [GrpcCode.invalidArgument, 'etcdserver: request is too large'],
  memberNotFound: [GrpcCode.notFound, 'etcdserver: member not found'],
  rootUserNotExist: [GrpcCode.failedPrecondition, 'etcdserver: root user does not exist'],
  authNotEnabled: [GrpcCode.failedPrecondition, 'etcdserver: authentication is not enabled'],
  stopped: [GrpcCode.unavailable, 'etcdserver: server stopped'],
} as const satisfies Record<string, readonly [number, string]>;

/** The refusals etcd itself knows (api/v3rpc/rpctypes/error.go of etcd 3.6). */
export type EtcdErrorReason = keyof typeof CATALOGUE;

/** What an RPC fails with: a gRPC code and the message clients recognise. */
export class EtcdError extends Error {
  override readonly name = 'EtcdError';
  /** The gRPC status code. */
  readonly code: number;

  constructor(code: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** One of etcd's own errors, with its exact code and message. */
export function etcdError(reason: EtcdErrorReason, cause?: unknown): EtcdError {
  const [code, message] = CATALOGUE[reason];
  return new EtcdError(code, message, cause === undefined ? undefined : { cause });
}

/** A refusal of something real etcd does and this store does not. */
export function unsupported(what: string): EtcdError {
  return new EtcdError(GrpcCode.unimplemented, `embedded-etcd: ${what} is not supported`);
}

/** Whether `error` carries a gRPC status. */
export function isEtcdError(error: unknown): error is EtcdError {
  return error instanceof EtcdError;
}
