import { specStrategy } from '../../spec-strategy.ts';

/** ResourceClaimTemplate: what its spec's endpoint does beyond the generic registry. */
export const resourceClaimTemplateStrategy = specStrategy();
