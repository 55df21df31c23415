import { unsupported } from '../errors/etcd-error.ts';
import type { Method } from '../grpc/method.ts';
import { unary } from '../grpc/method.ts';
import { RAFT_TERM, replyHeader } from '../proto/response-header.ts';
import { pragma } from '../mvcc/data-file.ts';
import { HeaderOnly } from '../proto/rpc-kv.ts';
import {
  AlarmResponse,
  Empty,
  NO_SPACE,
  HashKvRequest,
  HashKvResponse,
  HashResponse,
  StatusResponse,
} from '../proto/rpc-cluster.ts';
import type { ServerContext } from '../context/server-context.ts';
import { hashHistory } from '../maintenance/hash.ts';
import { ETCD_VERSION, STORAGE_VERSION } from '../maintenance/version.ts';

const SERVICE = '/etcdserverpb.Maintenance';

/** The Maintenance service: what a single member can answer; the rest says that it is not supported. */
export function maintenanceMethods(context: ServerContext): [string, Method][] {
  const { store, identity, database } = context;
  const header = (): ReturnType<typeof replyHeader> => replyHeader(identity, store.revision);
  return [
    [
      `${SERVICE}/Status`,
      unary({
        request: Empty,
        response: StatusResponse,
        handle: () => {
          const size = dataSize(context);
          const index = store.nextId;
          return {
            header: header(),
            version: ETCD_VERSION,
            dbSize: size.total,
            leader: identity.memberId,
            raftIndex: index,
            raftTerm: RAFT_TERM,
            raftAppliedIndex: index,
            errors: context.commit.noSpace ? [`memberID:${identity.memberId} alarm:NOSPACE `] : [],
            dbSizeInUse: size.used,
            isLearner: false,
            storageVersion: STORAGE_VERSION,
          };
        },
      }),
    ],
    [
      `${SERVICE}/Defragment`,
      unary({
        request: Empty,
        response: HeaderOnly,
        handle: () => {
          context.commit.flush();
          database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
          database.exec('VACUUM');
          database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
          return { header: header() };
        },
      }),
    ],
    [
      `${SERVICE}/Hash`,
      unary({
        request: Empty,
        response: HashResponse,
        handle: () => ({ header: header(), hash: hashHistory(store, store.revision) }),
      }),
    ],
    [
      `${SERVICE}/HashKV`,
      unary({
        request: HashKvRequest,
        response: HashKvResponse,
        handle: ({ revision }) => {
          store.checkRevision(revision);
          const hashed = revision > 0 ? revision : store.revision;
          return {
            header: header(),
            hash: hashHistory(store, hashed),
            compactRevision: store.compactRevision,
            hashRevision: hashed,
          };
        },
      }),
    ],
    [
      `${SERVICE}/Alarm`,
      unary({
        request: Empty,
        response: AlarmResponse,
        handle: () => ({
          header: header(),
          alarms: context.commit.noSpace ? [{ memberId: identity.memberId, alarm: NO_SPACE }] : [],
        }),
      }),
    ],
    ...['Snapshot', 'MoveLeader', 'Downgrade'].map((name): [string, Method] => [`${SERVICE}/${name}`, refused(name)]),
  ];
}

/** Bytes of the data file, and those of them that hold data. */
export function dataSize(context: Pick<ServerContext, 'database'>): { readonly total: number; readonly used: number } {
  const pageSize = pragma(context.database, 'page_size');
  const pages = pragma(context.database, 'page_count');
  return { total: pages * pageSize, used: (pages - pragma(context.database, 'freelist_count')) * pageSize };
}

function refused(name: string): Method {
  return {
    kind: 'unary',
    invoke() {
      throw unsupported(name);
    },
  };
}
