import { specStrategy } from '../../spec-strategy.ts';

/** VolumeAttributesClass: what its spec's endpoint does beyond the generic registry. */
export const volumeAttributesClassStrategy = specStrategy();
