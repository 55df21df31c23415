import { bool, integer, list, message, nested, text, texts } from './message.ts';
import { ResponseHeader } from './rpc-kv.ts';

/* etcdserverpb of etcd 3.6, api/etcdserverpb/rpc.proto: Cluster, Maintenance and Auth. */

/** A message without fields. */
export const Empty = message<object>({});

export interface Member {
  readonly id: number;
  readonly name: string;
  readonly peerUrls: readonly string[];
  readonly clientUrls: readonly string[];
  readonly isLearner: boolean;
}
const Member = message<Member>({
  id: integer(1),
  name: text(2),
  peerUrls: texts(3),
  clientUrls: texts(4),
  isLearner: bool(5),
});

export interface MemberListResponse {
  readonly header: ResponseHeader | undefined;
  readonly members: readonly Member[];
}
export const MemberListResponse = message<MemberListResponse>({
  header: nested(1, () => ResponseHeader),
  members: list(2, () => Member),
});

export interface StatusResponse {
  readonly header: ResponseHeader | undefined;
  readonly version: string;
  readonly dbSize: number;
  readonly leader: number;
  readonly raftIndex: number;
  readonly raftTerm: number;
  readonly raftAppliedIndex: number;
  readonly errors: readonly string[];
  readonly dbSizeInUse: number;
  readonly isLearner: boolean;
  readonly storageVersion: string;
}
export const StatusResponse = message<StatusResponse>({
  header: nested(1, () => ResponseHeader),
  version: text(2),
  dbSize: integer(3),
  leader: integer(4),
  raftIndex: integer(5),
  raftTerm: integer(6),
  raftAppliedIndex: integer(7),
  errors: texts(8),
  dbSizeInUse: integer(9),
  isLearner: bool(10),
  storageVersion: text(11),
});

/** AlarmType NOSPACE: there is no room for what is written. */
export const NO_SPACE = 1;

export interface AlarmMember {
  readonly memberId: number;
  readonly alarm: number;
}
const AlarmMember = message<AlarmMember>({ memberId: integer(1), alarm: integer(2) });

export interface AlarmResponse {
  readonly header: ResponseHeader | undefined;
  readonly alarms: readonly AlarmMember[];
}
export const AlarmResponse = message<AlarmResponse>({
  header: nested(1, () => ResponseHeader),
  alarms: list(2, () => AlarmMember),
});

export const HashResponse = message<{ readonly header: ResponseHeader | undefined; readonly hash: number }>({
  header: nested(1, () => ResponseHeader),
  hash: integer(2),
});

export const HashKvRequest = message<{ readonly revision: number }>({ revision: integer(1) });

export interface HashKvResponse {
  readonly header: ResponseHeader | undefined;
  readonly hash: number;
  readonly compactRevision: number;
  readonly hashRevision: number;
}
export const HashKvResponse = message<HashKvResponse>({
  header: nested(1, () => ResponseHeader),
  hash: integer(2),
  compactRevision: integer(3),
  hashRevision: integer(4),
});

export interface AuthStatusResponse {
  readonly header: ResponseHeader | undefined;
  readonly enabled: boolean;
  readonly authRevision: number;
}
export const AuthStatusResponse = message<AuthStatusResponse>({
  header: nested(1, () => ResponseHeader),
  enabled: bool(2),
  authRevision: integer(3),
});
