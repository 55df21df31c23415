import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateLease } from './validation.ts';

/** Lease: what its spec's endpoint does beyond the generic registry. */
export const leaseStrategy = specStrategy({ allowCreateOnUpdate: true, allowUnconditionalUpdate: false, ...validated({ create: validateLease, update: validateLease }) });
