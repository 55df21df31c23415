import { unsupported } from '../errors/etcd-error.ts';
import type { Method } from '../grpc/method.ts';
import { unary } from '../grpc/method.ts';
import { RAFT_TERM, replyHeader } from '../proto/response-header.ts';
import { dataSize } from '../mvcc/data-file.ts';
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
          const size = dataSize(database);
          const index = store.nextId;
          return {
            header: header(),
            version: ETCD_VERSION,
            dbSize: size.total,
            leader: identity.memberId,
            raftIndex: index,
            raftTerm: RAFT_TERM,
            raftAppliedIndex: index,
            errors: isFull(context) ? [`memberID:${identity.memberId} alarm:NOSPACE `] : [],
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
          alarms: isFull(context) ? [{ memberId: identity.memberId, alarm: NO_SPACE }] : [],
        }),
      }),
    ],
    ...['Snapshot', 'MoveLeader', 'Downgrade'].map((name): [string, Method] => [`${SERVICE}/${name}`, refused(name)]),
  ];
}

/** Whether the last write found no room: on the disk, or within the quota. */
export function isFull({ commit, quota }: Pick<ServerContext, 'commit' | 'quota'>): boolean {
  return commit.noSpace || quota.exceeded;
}

function refused(name: string): Method {
  return {
    kind: 'unary',
    invoke() {
      throw unsupported(name);
    },
  };
}
