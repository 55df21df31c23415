import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateCSINode, validateCSINodeUpdate } from './validation.ts';

/** CSINode: what its spec's endpoint does beyond the generic registry. */
export const csiNodeStrategy = specStrategy({
  ...validated({ create: validateCSINode, update: validateCSINodeUpdate }),
  allowUnconditionalUpdate: false,
});
