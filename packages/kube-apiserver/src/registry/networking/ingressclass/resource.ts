import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateIngressClass, validateIngressClassChange } from './validation.ts';
import { defaultIngressClass } from './defaults.ts';
import { printIngressClass } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves ingressclasses. */
export const ingressClassResource = storedResource({
  group: 'networking.k8s.io',
  plural: 'ingressclasses',
  strategy: specStrategy({
    generation: 'spec',
    ...validated({ create: validateIngressClass, update: validateIngressClass, change: validateIngressClassChange }),
  }),
  defaults: { v1: defaultIngressClass },
  row: printIngressClass,
});
