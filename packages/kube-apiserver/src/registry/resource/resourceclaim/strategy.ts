import { specStrategy, statusStrategy } from '../../spec-strategy.ts';

/** ResourceClaim: what its spec's endpoint does beyond the generic registry. */
export const resourceClaimStrategy = specStrategy({ status: true });

/** ResourceClaim's status endpoint. */
export const resourceClaimStatusStrategy = statusStrategy({ resetMetadata: true });
