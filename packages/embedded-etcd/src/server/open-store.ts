import type { Identity } from '../proto/response-header.ts';
import { LeaseTable } from '../lease/lease-table.ts';
import { Lessor } from '../lease/lessor.ts';
import { CompactionJob } from '../mvcc/compaction-job.ts';
import { openDataFile } from '../mvcc/data-file.ts';
import { dataFileError } from '../mvcc/data-file-error.ts';
import { dataSize } from '../mvcc/data-file.ts';
import { GroupCommit } from '../mvcc/group-commit.ts';
import { MvccStore } from '../mvcc/mvcc-store.ts';
import { KEY_OVERHEAD_BYTES, SpaceQuota } from '../mvcc/space-quota.ts';
import { WatchHub } from '../watch/watch-hub.ts';
import type { CompletedEmbeddedEtcdOptions } from './options.ts';
import type { ServerContext } from '../context/server-context.ts';

/** What the store is given from outside. */
export interface StoreParts {
  readonly clientUrls: () => readonly string[];
  /** A random positive integer below 2^53: member, cluster and lease ids. */
  readonly newId: () => number;
}

/**
 * Opens the file and builds everything behind the API.
 * @throws DataFileError
 */
export function openStore(options: CompletedEmbeddedEtcdOptions, parts: StoreParts): ServerContext {
  const database = openDataFile(options.dataFile, options);
  try {
    const commit = new GroupCommit(database);
    const store = new MvccStore(database, commit, options);
    const identity = keepIdentity(store, parts.newId);
    const lessor = new Lessor({ store, table: new LeaseTable(database), clock: options.clock, newId: parts.newId });
    const quota = new SpaceQuota(
      options.quotaBytes,
      () => dataSize(database).used + KEY_OVERHEAD_BYTES * store.index.size,
    );
    const hub = new WatchHub({
      store,
      identity,
      clock: options.clock.elapsed,
      progressIntervalMs: options.watchProgressNotifyIntervalMs,
    });
    const compaction = new CompactionJob(store);
    commit.flush();
    // A compaction that a restart cut short goes on.
    compaction.runInBackground();
    return { database, commit, store, quota, lessor, hub, compaction, identity, clientUrls: parts.clientUrls };
  } catch (error) {
    database.close();
    throw dataFileError(options.dataFile, error);
  }
}

/** Stops timers, commits and closes the file; who is connected must be gone before. */
export function closeStore(context: ServerContext): void {
  context.lessor.close();
  context.compaction.stop();
  context.commit.flush();
  context.database.close();
}

function keepIdentity(store: MvccStore, newId: () => number): Identity {
  const kept = (name: string): number => {
    let id = store.meta(name);
    if (id === undefined) store.setMeta(name, (id = newId()));
    return id;
  };
  return { clusterId: kept('cluster_id'), memberId: kept('member_id') };
}
