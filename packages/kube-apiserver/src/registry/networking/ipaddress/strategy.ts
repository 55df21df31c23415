import { specStrategy } from '../../spec-strategy.ts';

/** IPAddress: what its spec's endpoint does beyond the generic registry. */
export const ipAddressStrategy = specStrategy();
