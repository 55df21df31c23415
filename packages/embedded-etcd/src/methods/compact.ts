import type { CompactionRequest, HeaderOnly } from '../proto/rpc-kv.ts';
import type { ServerContext } from '../context/server-context.ts';
import { replyHeader } from '../proto/response-header.ts';

/**
 * KV.Compact: history before the revision is gone for readers at once. The rows
 * are removed in the background; with `physical` the answer waits for that.
 *
 * @throws EtcdError `compacted` or `futureRevision`
 */
export function compact(context: ServerContext, request: CompactionRequest): HeaderOnly | Promise<HeaderOnly> {
  context.store.compact(request.revision);
  const reply = { header: replyHeader(context.identity, context.store.revision) };
  if (request.physical) return context.compaction.run().then(() => reply);
  context.compaction.runInBackground();
  return reply;
}
