import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validatePriorityClass, validatePriorityClassUpdate } from './validation.ts';

/** PriorityClass: what its spec's endpoint does beyond the generic registry. */
export const priorityClassStrategy = specStrategy({
  generation: 'creation',
  ...validated({ create: validatePriorityClass, update: validatePriorityClassUpdate }),
});
