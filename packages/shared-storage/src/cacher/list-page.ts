import { selects } from '../storage/selects.ts';
import type { ListOptions, ListResult, ObjectRecord, SelectionPredicate } from '../storage/interfaces.ts';
import { encodeContinue } from '../storage/continue-token.ts';
import type { RecordTree } from './record-tree.ts';
import { prefixRangeEnd } from '../etcd-client/prefix-range.ts';

/** Records looked at between two checks of the limit. */
const SCAN = 512;

/** What a list is read from. */
export interface ListSource {
  readonly tree: RecordTree;
  /** Revision that the result is labelled with. */
  readonly revision: number;
  /** All candidates, when an index has already found them. */
  readonly candidates: readonly ObjectRecord[] | undefined;
}

export interface Page {
  readonly result: ListResult;
  /** Records looked at. */
  readonly fetched: number;
}

/** One page of the records below `prefix`, from `startKey` on. Does not yield. */
export function listPage(
  source: ListSource,
  range: { readonly prefix: string; readonly startKey: string; readonly limit: number },
  options: ListOptions,
): Page {
  const { tree, candidates } = source;
  const { prefix, startKey, limit } = range;
  const end = prefixRangeEnd(prefix);
  const predicate = options.predicate?.empty === false ? options.predicate : undefined;
  const resourceVersion = String(source.revision);
  if (candidates === undefined && predicate === undefined) {
    const items = tree.range(startKey, end, limit);
    const more = items.length < limit ? 0 : tree.count(startKey, end) - items.length;
    if (more === 0) return { result: { items, resourceVersion, continue: '' }, fetched: items.length };
    return {
      result: {
        items,
        resourceVersion,
        continue: tokenAfter(items.at(-1)!, prefix, source.revision),
        remainingItemCount: more,
      },
      fetched: items.length,
    };
  }
  const items: ObjectRecord[] = [];
  let fetched = 0;
  let from = startKey;
  for (;;) {
    const chunk = candidates ?? tree.range(from, end, SCAN);
    for (let i = 0; i < chunk.length; i++) {
      const record = chunk[i]!;
      fetched++;
      if (predicate !== undefined && !selects(predicate, record)) continue;
      items.push(record);
      if (items.length < limit) continue;
      const more = i < chunk.length - 1 || (candidates === undefined && tree.count(`${record.key}\0`, end) > 0);
      if (!more) return { result: { items, resourceVersion, continue: '' }, fetched };
      return {
        result: {
          items,
          resourceVersion,
          continue: tokenAfter(record, prefix, source.revision),
          // Of objects of all shards, as the reference counts.
          ...(isShardAlone(predicate) ? { remainingItemCount: tree.count(startKey, end) - items.length } : {}),
        },
        fetched,
      };
    }
    if (candidates !== undefined || chunk.length < SCAN)
      return { result: { items, resourceVersion, continue: '' }, fetched };
    from = `${chunk.at(-1)!.key}\0`;
  }
}

/** Whether everything of a shard is selected. */
function isShardAlone(predicate: SelectionPredicate | undefined): boolean {
  return predicate?.shard !== undefined && predicate.label.empty && predicate.field.empty;
}

/** Tokens of the reference's cache begin with the slash that its store's do not have; both read either. */
function tokenAfter({ key }: ObjectRecord, prefix: string, revision: number): string {
  return encodeContinue(key, prefix.slice(0, -1), revision);
}
