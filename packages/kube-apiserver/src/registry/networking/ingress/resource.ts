import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { ingressStatusWarnings, ingressWarnings } from './warnings.ts';
import { validateIngress, validateIngressStatus, validateIngressUpdate } from './validation.ts';
import { printIngress } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves ingresses with status. */
export const ingressResource = storedResource({
  group: 'networking.k8s.io',
  plural: 'ingresses',
  strategy: specStrategy({
    generation: 'spec',
    status: true,
    warningsOnCreate: ingressWarnings,
    ...validated({ create: validateIngress, update: validateIngressUpdate }),
  }),
  status: statusStrategy({
    hooks: { ...validated({ update: validateIngressStatus }), warningsOnUpdate: ingressStatusWarnings },
  }),
  row: printIngress,
});
