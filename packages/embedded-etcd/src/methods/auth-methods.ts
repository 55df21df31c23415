import { etcdError, unsupported } from '../errors/etcd-error.ts';
import type { Method } from '../grpc/method.ts';
import { unary } from '../grpc/method.ts';
import { replyHeader } from '../proto/response-header.ts';
import { AuthStatusResponse, Empty } from '../proto/rpc-cluster.ts';
import { HeaderOnly } from '../proto/rpc-kv.ts';
import type { ServerContext } from '../context/server-context.ts';

const SERVICE = '/etcdserverpb.Auth';

/** Managing users and roles, which this store does not keep. */
const UNSUPPORTED = [
  'UserAdd',
  'UserGet',
  'UserList',
  'UserDelete',
  'UserChangePassword',
  'UserGrantRole',
  'UserRevokeRole',
  'RoleAdd',
  'RoleGet',
  'RoleList',
  'RoleDelete',
  'RoleGrantPermission',
  'RoleRevokePermission',
];

/**
 * The Auth service of a server whose authentication is off and stays off:
 * clients are told apart by TLS certificates alone. What etcd answers while
 * disabled is answered as etcd does.
 */
export function authMethods(context: ServerContext): [string, Method][] {
  const header = (): ReturnType<typeof replyHeader> => replyHeader(context.identity, context.store.revision);
  return [
    [
      `${SERVICE}/AuthStatus`,
      unary({
        request: Empty,
        response: AuthStatusResponse,
        handle: () => ({ header: header(), enabled: false, authRevision: 1 }),
      }),
    ],
    [`${SERVICE}/AuthDisable`, unary({ request: Empty, response: HeaderOnly, handle: () => ({ header: header() }) })],
    [`${SERVICE}/AuthEnable`, failing(() => etcdError('rootUserNotExist'))],
    [`${SERVICE}/Authenticate`, failing(() => etcdError('authNotEnabled'))],
    ...UNSUPPORTED.map((name): [string, Method] => [`${SERVICE}/${name}`, failing(() => unsupported(`Auth.${name}`))]),
  ];
}

function failing(error: () => Error): Method {
  return {
    kind: 'unary',
    invoke() {
      throw error();
    },
  };
}
