import { serveAssembled } from '@kubechain/apiserver/servers';
import type { ParsedFlags, ProcessHandle } from '@kubechain/apiserver/options';
import type { flagSets } from '../flags.ts';
import { assembleAPIExtensions } from './assemble.ts';

/** One apiextensions process from flags to its graceful end. */
export function run({ values }: ParsedFlags<typeof flagSets>, handle: ProcessHandle): Promise<void> {
  return serveAssembled(assembleAPIExtensions, values, { handle });
}
