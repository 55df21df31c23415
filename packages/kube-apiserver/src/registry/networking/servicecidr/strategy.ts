import { specStrategy, statusStrategy } from '../../spec-strategy.ts';

/** ServiceCIDR: what its spec's endpoint does beyond the generic registry. */
export const serviceCIDRStrategy = specStrategy({ status: true });

/** ServiceCIDR's status endpoint. */
export const serviceCIDRStatusStrategy = statusStrategy({ resetMetadata: true });
