import type { Method } from '../grpc/method.ts';
import { unary } from '../grpc/method.ts';
import { replyHeader } from '../proto/response-header.ts';
import { HeaderOnly } from '../proto/rpc-kv.ts';
import {
  LeaseGrantRequest,
  LeaseGrantResponse,
  LeaseId,
  LeaseLeasesResponse,
  LeaseTimeToLiveRequest,
  LeaseTimeToLiveResponse,
} from '../proto/rpc-lease.ts';
import { Empty } from '../proto/rpc-cluster.ts';
import type { ServerContext } from '../context/server-context.ts';
import { LEASE_BYTES } from '../kv/stored-bytes.ts';
import { KeepAliveStream } from '../lease/keep-alive.ts';

const SERVICE = '/etcdserverpb.Lease';

/** A lease, within the quota. @throws EtcdError */
export function grantLease(
  { lessor, quota }: Pick<ServerContext, 'lessor' | 'quota'>,
  id: number,
  ttl: number,
): ReturnType<ServerContext['lessor']['grant']> {
  quota.take(LEASE_BYTES);
  return lessor.grant(id, ttl);
}

/** The Lease service. */
export function leaseMethods(context: ServerContext): [string, Method][] {
  const { store, lessor, identity, hub } = context;
  const header = (): ReturnType<typeof replyHeader> => replyHeader(identity, store.revision);
  const revoke = unary({
    request: LeaseId,
    response: HeaderOnly,
    handle: ({ id }) => {
      lessor.revoke(id);
      return { header: header() };
    },
  });
  const keepAlive = { lessor, identity, revision: () => hub.revision };
  return [
    [
      `${SERVICE}/LeaseGrant`,
      unary({
        request: LeaseGrantRequest,
        response: LeaseGrantResponse,
        handle: ({ id, ttl }) => {
          const lease = grantLease(context, id, ttl);
          return { header: header(), id: lease.id, ttl: lease.grantedTtl, error: '' };
        },
      }),
    ],
    [`${SERVICE}/LeaseRevoke`, revoke],
    [`${SERVICE}/LeaseKeepAlive`, { kind: 'stream', open: (replies) => new KeepAliveStream(keepAlive, replies) }],
    [
      `${SERVICE}/LeaseTimeToLive`,
      unary({
        request: LeaseTimeToLiveRequest,
        response: LeaseTimeToLiveResponse,
        handle: ({ id, keys }) => {
          const lease = lessor.info(id);
          if (lease === undefined) return { header: header(), id, ttl: -1, grantedTtl: 0, keys: [] };
          return {
            header: header(),
            id,
            ttl: lease.remainingTtl,
            grantedTtl: lease.grantedTtl,
            keys: keys ? lease.keys : [],
          };
        },
      }),
    ],
    [
      `${SERVICE}/LeaseLeases`,
      unary({
        request: Empty,
        response: LeaseLeasesResponse,
        handle: () => ({ header: header(), leases: lessor.ids().map((id) => ({ id })) }),
      }),
    ],
  ];
}
