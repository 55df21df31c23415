import { bool, integer, keys, list, message, nested, text } from './message.ts';
import { ResponseHeader } from './rpc-kv.ts';

/* etcdserverpb of etcd 3.6, api/etcdserverpb/rpc.proto: the Lease service. TTLs are seconds. */

export interface LeaseGrantRequest {
  readonly ttl: number;
  readonly id: number;
}
export const LeaseGrantRequest = message<LeaseGrantRequest>({ ttl: integer(1), id: integer(2) });

export interface LeaseGrantResponse {
  readonly header: ResponseHeader | undefined;
  readonly id: number;
  readonly ttl: number;
  readonly error: string;
}
export const LeaseGrantResponse = message<LeaseGrantResponse>({
  header: nested(1, () => ResponseHeader),
  id: integer(2),
  ttl: integer(3),
  error: text(4),
});

/** LeaseRevokeRequest, LeaseKeepAliveRequest and LeaseStatus: a lease id. */
export interface LeaseId {
  readonly id: number;
}
export const LeaseId = message<LeaseId>({ id: integer(1) });

export interface LeaseKeepAliveResponse {
  readonly header: ResponseHeader | undefined;
  readonly id: number;
  readonly ttl: number;
}
export const LeaseKeepAliveResponse = message<LeaseKeepAliveResponse>({
  header: nested(1, () => ResponseHeader),
  id: integer(2),
  ttl: integer(3),
});

export interface LeaseTimeToLiveRequest {
  readonly id: number;
  readonly keys: boolean;
}
export const LeaseTimeToLiveRequest = message<LeaseTimeToLiveRequest>({ id: integer(1), keys: bool(2) });

export interface LeaseTimeToLiveResponse {
  readonly header: ResponseHeader | undefined;
  readonly id: number;
  readonly ttl: number;
  readonly grantedTtl: number;
  readonly keys: readonly string[];
}
export const LeaseTimeToLiveResponse = message<LeaseTimeToLiveResponse>({
  header: nested(1, () => ResponseHeader),
  id: integer(2),
  ttl: integer(3),
  grantedTtl: integer(4),
  keys: keys(5),
});

export interface LeaseLeasesResponse {
  readonly header: ResponseHeader | undefined;
  readonly leases: readonly LeaseId[];
}
export const LeaseLeasesResponse = message<LeaseLeasesResponse>({
  header: nested(1, () => ResponseHeader),
  leases: list(2, () => LeaseId),
});
