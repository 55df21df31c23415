import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateCSINode, validateCSINodeUpdate } from './validation.ts';
import { printCSINode } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves csinodes. */
export const csiNodeResource = storedResource({
  group: 'storage.k8s.io',
  plural: 'csinodes',
  returnDeletedObject: true,
  strategy: specStrategy({
    ...validated({ create: validateCSINode, update: validateCSINodeUpdate }),
    allowUnconditionalUpdate: false,
  }),
  row: printCSINode,
});
