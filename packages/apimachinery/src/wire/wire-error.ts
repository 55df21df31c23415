/** Bytes that are no protobuf message. The texts are those of gogo's generated code (k8s.io/api, generated.pb.go). */
export class WireError extends Error {
  override readonly name = 'WireError';
}

/** Whether reading failed because of the bytes. */
export function isWireError(error: unknown): error is WireError {
  return error instanceof WireError;
}
