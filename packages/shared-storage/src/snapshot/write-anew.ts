import type { EtcdClient } from '../etcd-client/etcd-client.ts';
import { takeSnapshot } from './snapshot.ts';

/** A store's revision has gone past the one from which its keys were to be written anew. */
export class LaterRevisionError extends Error {
  override readonly name = 'LaterRevisionError';
}

/** Written and deleted to let revisions grow; no server looks there. */
const scratchKey = '/kubechain/revisions';
const putsAtOnce = 100;
/** etcd's default `--max-txn-ops` is 128. */
const operationsAtOnce = 120;
const nothing = Buffer.alloc(0);

/**
 * Writes every key of a store anew, in their order, from one revision on: stores that hold the same are then alike down
 * to the revisions of their keys, in whatever order they were written before. Nobody else may write meanwhile. Answers
 * the last revision.
 * @throws LaterRevisionError when the store is past it; EtcdError
 */
export async function writeAnew(client: EtcdClient, fromRevision: number): Promise<number> {
  const { keys, revision } = await takeSnapshot(client);
  await growTo(client, revision, fromRevision);
  let last = fromRevision;
  for (let at = 0; at < keys.length; at += operationsAtOnce) {
    const success = keys.slice(at, at + operationsAtOnce).map(({ key, ttlSeconds, value }) => ({
      kind: 'put' as const,
      request: { key, value, ...(ttlSeconds === undefined ? {} : { keepLease: true }) },
    }));
    ({ revision: last } = await client.txn({ compare: [], success, failure: [] }));
  }
  return last;
}

async function growTo(client: EtcdClient, from: number, to: number): Promise<void> {
  let revision = from;
  // The last one is the deletion, of which something has to be left.
  if (revision > to - 2) throw new LaterRevisionError(`the store is at revision ${revision}, ${to} cannot be its next`);
  while (revision < to - 1) {
    const puts = Array.from({ length: Math.min(putsAtOnce, to - 1 - revision) }, () =>
      client.put({ key: scratchKey, value: nothing }),
    );
    revision = Math.max(...(await Promise.all(puts)).map((answer) => answer.revision));
  }
  ({ revision } = await client.delete({ key: scratchKey }));
  if (revision !== to)
    throw new LaterRevisionError(`the store is at revision ${revision}: somebody wrote before ${to}`);
}
