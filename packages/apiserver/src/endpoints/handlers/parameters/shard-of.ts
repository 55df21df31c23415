import type { ShardSelector } from '@kubechain/shared-storage';
import { parseShardSelector } from '../../../registry/rest/shard-selector.ts';
import type { ListParameters } from './list-options.ts';

/**
 * The shard that a request asks for; none where the feature is off, as in the reference, which does not look at it
 * then.
 * @throws ShardSelectorError
 */
export function shardOf(
  { sharding }: { readonly sharding: boolean },
  { shardSelector }: Pick<ListParameters, 'shardSelector'>,
): ShardSelector | undefined {
  return sharding && shardSelector !== '' ? parseShardSelector(shardSelector) : undefined;
}
