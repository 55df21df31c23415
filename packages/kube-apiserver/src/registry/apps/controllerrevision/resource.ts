import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateControllerRevision, validateControllerRevisionUpdate } from './validation.ts';
import { printControllerRevision } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves controllerrevisions. */
export const controllerRevisionResource = storedResource({
  group: 'apps',
  plural: 'controllerrevisions',
  strategy: specStrategy(validated({ create: validateControllerRevision, update: validateControllerRevisionUpdate })),
  row: printControllerRevision,
});
