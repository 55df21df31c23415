import { crc32 } from 'node:zlib';
import type { MvccStore } from '../mvcc/mvcc-store.ts';

const ROWS_PER_READ = 1000;

/**
 * A checksum of the history up to `revision`: equal histories have equal sums.
 * It is not etcd's own (its storage bytes differ), so it compares only copies of this store.
 */
export function hashHistory(store: MvccStore, revision: number): number {
  let sum = 0;
  for (let id = 0; ;) {
    const rows = store.history.keysFrom(id, ROWS_PER_READ);
    for (const row of rows) {
      if (row.modRevision > revision) return sum;
      sum = crc32(`${row.key}\0${row.modRevision}\0${row.createRevision}\0${row.version}\0${row.lease}\0`, sum);
      sum = crc32(store.value(row) ?? '', sum);
      id = row.id + 1;
    }
    if (rows.length < ROWS_PER_READ) return sum;
  }
}
