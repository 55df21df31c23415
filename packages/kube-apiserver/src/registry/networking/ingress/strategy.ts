import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { ingressStatusWarnings, ingressWarnings } from './warnings.ts';
import { validateIngress, validateIngressStatus, validateIngressUpdate } from './validation.ts';

/** Ingress: what its spec's endpoint does beyond the generic registry. */
export const ingressStrategy = specStrategy({
  generation: 'spec',
  status: true,
  warningsOnCreate: ingressWarnings,
  ...validated({ create: validateIngress, update: validateIngressUpdate }),
});

/** Ingress's status endpoint. */
export const ingressStatusStrategy = statusStrategy({
  hooks: { ...validated({ update: validateIngressStatus }), warningsOnUpdate: ingressStatusWarnings },
});
