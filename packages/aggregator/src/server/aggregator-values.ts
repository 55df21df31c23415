import type { FlagValues } from '@kubechain/apiserver/options';
import type { flagSets } from '../flags.ts';

/** Values of the aggregator's flags. */
export type AggregatorValues = { readonly [K in keyof typeof flagSets]: FlagValues<(typeof flagSets)[K]> };
