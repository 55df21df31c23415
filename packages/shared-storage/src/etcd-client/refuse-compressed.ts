import { EtcdError } from './etcd-error.ts';

/** A {@link GRPCPrefixCheck}: compression was not asked for. */
export function refuseCompressed(compressed: boolean): void {
  if (compressed) throw new EtcdError('Internal', 'etcd sent a compressed message');
}
