import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateIngressClass, validateIngressClassUpdate } from './validation.ts';

/** IngressClass: what its spec's endpoint does beyond the generic registry. */
export const ingressClassStrategy = specStrategy({
  generation: 'spec',
  ...validated({ create: validateIngressClass, update: validateIngressClassUpdate }),
});
