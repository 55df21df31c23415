import { openStore } from '../server/open-store.ts';
import type { EmbeddedEtcdOptions } from '../server/options.ts';
import { completeOptions } from '../server/options.ts';
import type { ServerContext } from '../context/server-context.ts';

/** A store without its network side, for tests of what is behind it. */
export function openContext(options: EmbeddedEtcdOptions): ServerContext {
  let id = 1_000_000;
  return openStore(completeOptions({ unsafeNoFsync: true, ...options }), { clientUrls: () => [], newId: () => id++ });
}

/** Commits and closes. */
export function closeContext(context: ServerContext): void {
  context.lessor.close();
  context.hub.close();
  context.compaction.stop();
  context.commit.flush();
  context.database.close();
}

/** One write at a revision of its own; committed with the batch. */
export function put(context: ServerContext, key: string, value: string | Uint8Array): number {
  context.store.beginTxn();
  context.store.put(key, typeof value === 'string' ? Buffer.from(value) : value, 0);
  return context.store.endTxn();
}

/** One delete at a revision of its own. */
export function remove(context: ServerContext, key: string): number {
  context.store.beginTxn();
  context.store.delete(key, `${key}\0`);
  return context.store.endTxn();
}
