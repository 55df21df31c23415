import type { Endpoints } from '@kubechain/apimachinery/types/core/v1';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateEndpoints } from './validation.ts';

/** Endpoints: what its spec's endpoint does beyond the generic registry. */
export const endpointsStrategy = specStrategy({
  allowCreateOnUpdate: true,
  ...validated<Endpoints>({ create: (endpoints) => validateEndpoints(endpoints), update: validateEndpoints }),
});
