import { etcdError } from '../errors/etcd-error.ts';

/** etcd's default `--max-request-bytes`. */
export const MAX_REQUEST_BYTES = 1.5 * 1024 * 1024;

/** What etcd's raft envelope (request id, tag and length) adds to a request before it is measured. */
const ENVELOPE_BYTES = 17;

/** Refuses writes that etcd would not propose. @throws EtcdError `request is too large` */
export function checkRequestSize(encodedBytes: number): void {
  if (encodedBytes + ENVELOPE_BYTES > MAX_REQUEST_BYTES) throw etcdError('requestTooLarge');
}
