/** Entry point `@kubechain/aggregator/server`: the server for those who run it in a process of their own. */
export { flagSets } from '../flags.ts';
export { assembleAggregator } from './assemble.ts';
export type { AggregatorValues } from './aggregator-values.ts';
