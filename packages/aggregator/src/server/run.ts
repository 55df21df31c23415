import { serveAssembled } from '@kubechain/apiserver/servers';
import type { ParsedFlags, ProcessHandle } from '@kubechain/apiserver/options';
import type { flagSets } from '../flags.ts';
import { assembleAggregator } from './assemble.ts';

/** One aggregator process from flags to its graceful end. */
export function run({ values }: ParsedFlags<typeof flagSets>, handle: ProcessHandle): Promise<void> {
  return serveAssembled(assembleAggregator, values, { handle });
}
