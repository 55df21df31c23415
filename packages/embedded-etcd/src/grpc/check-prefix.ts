import { EtcdError, GrpcCode } from '../errors/etcd-error.ts';
import { MAX_REQUEST_BYTES } from './request-size.ts';

/** What etcd's gRPC server accepts: its request limit and 512 KiB for what surrounds it. */
const MAX_MESSAGE_BYTES = MAX_REQUEST_BYTES + 512 * 1024;

/** Takes messages of a client as etcd does. @throws EtcdError */
export function checkPrefix(compressed: boolean, length: number): void {
  if (compressed) throw new EtcdError(GrpcCode.unimplemented, 'grpc: compressed messages are not supported');
  if (length > MAX_MESSAGE_BYTES)
    throw new EtcdError(
      GrpcCode.resourceExhausted,
      `grpc: received message larger than max (${length} vs. ${MAX_MESSAGE_BYTES})`,
    );
}
