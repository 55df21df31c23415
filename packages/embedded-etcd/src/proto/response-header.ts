import type { ResponseHeader } from './rpc-kv.ts';

/** The one-member cluster's ids, kept in the data file. */
export interface Identity {
  readonly clusterId: number;
  readonly memberId: number;
}

/** A single member never changes its term. */
export const RAFT_TERM = 2;

/** The header of a whole reply. */
export function replyHeader(identity: Identity, revision: number): ResponseHeader {
  return { clusterId: identity.clusterId, memberId: identity.memberId, revision, raftTerm: RAFT_TERM };
}

/** The header inside a transaction's replies: etcd fills in the revision alone. */
export function innerHeader(revision: number): ResponseHeader {
  return { clusterId: 0, memberId: 0, revision, raftTerm: 0 };
}
