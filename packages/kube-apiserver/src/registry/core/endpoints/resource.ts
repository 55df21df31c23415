import type { Endpoints } from '@kubechain/apimachinery/types/core/v1';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateEndpoints } from './validation.ts';
import { endpointsWarnings } from './warnings.ts';
import { defaultEndpoints } from './defaults.ts';
import { printEndpoints } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves endpoints. */
export const endpointsResource = storedResource({
  group: '',
  plural: 'endpoints',
  deprecationWarning: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  strategy: specStrategy({
    allowCreateOnUpdate: true,
    ...validated<Endpoints>({ create: (endpoints) => validateEndpoints(endpoints), update: validateEndpoints }),
    warningsOnCreate: (endpoints) => endpointsWarnings(endpoints as Endpoints),
    warningsOnUpdate: (endpoints) => endpointsWarnings(endpoints as Endpoints),
  }),
  defaults: { v1: defaultEndpoints },
  row: printEndpoints,
});
