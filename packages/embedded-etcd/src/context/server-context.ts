import type { DatabaseSync } from 'node:sqlite';
import type { Identity } from '../proto/response-header.ts';
import type { Lessor } from '../lease/lessor.ts';
import type { CompactionJob } from '../mvcc/compaction-job.ts';
import type { GroupCommit } from '../mvcc/group-commit.ts';
import type { MvccStore } from '../mvcc/mvcc-store.ts';
import type { SpaceQuota } from '../mvcc/space-quota.ts';
import type { WatchHub } from '../watch/watch-hub.ts';

/** Everything the services work on. */
export interface ServerContext {
  readonly database: DatabaseSync;
  readonly commit: GroupCommit;
  readonly store: MvccStore;
  readonly quota: SpaceQuota;
  readonly lessor: Lessor;
  readonly hub: WatchHub;
  readonly compaction: CompactionJob;
  readonly identity: Identity;
  /** The URLs clients reach the server at; known once it listens. */
  readonly clientUrls: () => readonly string[];
}
