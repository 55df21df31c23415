import { unsupported } from '../errors/etcd-error.ts';
import type { Method } from '../grpc/method.ts';
import { unary } from '../grpc/method.ts';
import { replyHeader } from '../proto/response-header.ts';
import { Empty, MemberListResponse } from '../proto/rpc-cluster.ts';
import type { ServerContext } from '../context/server-context.ts';

const SERVICE = '/etcdserverpb.Cluster';

/** The Cluster service: one member, which cannot be changed. */
export function clusterMethods(context: ServerContext): [string, Method][] {
  const { identity } = context;
  const list = unary({
    request: Empty,
    response: MemberListResponse,
    handle: () => ({
      header: replyHeader(identity, context.store.revision),
      members: [
        { id: identity.memberId, name: 'embedded', peerUrls: [], clientUrls: context.clientUrls(), isLearner: false },
      ],
    }),
  });
  const refused = ['MemberAdd', 'MemberRemove', 'MemberUpdate', 'MemberPromote'].map((name): [string, Method] => [
    `${SERVICE}/${name}`,
    {
      kind: 'unary',
      invoke() {
        throw unsupported(`${name} (the store has exactly one member)`);
      },
    },
  ]);
  return [[`${SERVICE}/MemberList`, list], ...refused];
}
